// A spiral's problem in a smooth field, and the search for a way through it on the CPU.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/paths/path_search.h"

namespace spokelab::test {

inline constexpr double duration = 0.02;  // s, of a readout

// A problem in a smooth field, and the points of its plan.
struct FieldCase {
  PathSearchRequest request;
  std::vector<double> points;  // cycles per pixel

  PathSearchRequest& ask() {
    request.nufft.points = points;
    return request;
  }
};

// sides: of the image, at least and at most; readouts and their samples grow with it.
inline FieldCase fieldCase(std::mt19937& random, double phase, double accuracy,
                           std::pair<int, int> sides = {20, 44}) {
  FieldCase c;
  SenseProblem& p = c.request.problem;
  std::uniform_int_distribution<int> size(sides.first, sides.second), arms(6, sides.second * 24 / 44),
      length(sides.first * 3, sides.second * 150 / 44);
  std::uniform_real_distribution<double> turns(0, 4), wave(0.1, 0.3);
  p.matrix = {size(random), size(random), 1};
  const int shots = arms(random), samples = length(random);
  const double spin = turns(random);
  for (int s = 0; s < shots; ++s) {
    p.shotOffsets.push_back(std::int64_t(s) * samples);
    for (int i = 0; i < samples; ++i) {
      const double part = double(i) / samples,
                   angle = 2 * std::numbers::pi * (double(s) / shots + spin * part);
      p.points.own().push_back(double(p.matrix[0]) / 2 * part * std::cos(angle));
      p.points.own().push_back(double(p.matrix[1]) / 2 * part * std::sin(angle));
      p.times.push_back(duration * part);
    }
  }
  p.shotOffsets.push_back(std::int64_t(shots) * samples);
  const double x = wave(random), y = wave(random);
  for (std::int64_t i = 0; i < product(p.matrix); ++i)
    p.field.push_back(phase / duration * std::sin(x * double(i % p.matrix[0])) *
                      std::cos(y * double(i / p.matrix[0])));
  p.transform = TransformKind::automatic;
  p.nufft.accuracy = accuracy;
  for (std::size_t i = 0; i < p.points.size(); ++i) c.points.push_back(p.points[i] / double(p.matrix[i % 2]));
  TuneRequest& nufft = c.request.nufft;
  nufft.problem.size = p.matrix;
  nufft.options = p.nufft;
  nufft.workload = {Direction::normal, 20, 1, true};
  return c;
}

inline TuneResult search(FieldCase& c, Wisdom* wisdom = nullptr,
                         const std::function<void(const Candidate&)>& seen = {}) {
  const auto cpu = makeCpuBackend();
  TransformBackend* one = cpu.get();
  return searchPaths(std::span<TransformBackend* const>(&one, 1), c.ask(), wisdom, {}, seen);
}

}  // namespace spokelab::test
