// A small problem of the GPU's iterative tests.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "engine/recon/sense/backend.h"
#include "tests/cuda/gpu_test.h"

namespace spokelab::gputest::sense {

inline constexpr int n = 32, coils = 3, shots = 2, length = 600;
inline constexpr std::int64_t pixels = n * n, samples = shots * length;

// Random points, smooth maps, field and shot phases; data of an arbitrary image by exact sums.
struct Experiment {
  SenseProblem problem;
  std::vector<std::vector<cfloat>> data;
};

inline Experiment makeExperiment(TransformKind kind, bool phases) {
  Experiment e;
  SenseProblem& p = e.problem;
  p.matrix = {n, n, 1};
  p.transform = kind;
  p.nufft.alpha = 2;
  p.nufft.accuracy = 1e-5;
  for (const double k : makePoints(2, samples, gputest::PointPattern::random, 3))
    p.points.own().push_back(k * n);
  for (std::int64_t j = 0; j < samples; ++j) p.times.push_back(0.02 * double(j % length) / length);
  p.shotOffsets = {0, length, samples};
  const bool field = kind != TransformKind::nufft && kind != TransformKind::toeplitz;
  for (std::int64_t i = 0; i < pixels; ++i) {
    const double x = double(i % n) / n - 0.5, y = double(i / n) / n - 0.5;
    if (field) p.field.push_back(300 * std::exp(-8 * (x * x + y * y)) - 200 * x);
  }
  if (kind == TransformKind::gdftR2) p.gradient.assign(std::size_t(2 * pixels), 3.0);
  for (int c = 0; c < coils; ++c)
    for (std::int64_t i = 0; i < pixels; ++i) {
      const double x = double(i % n) / n - 0.5, y = double(i / n) / n - 0.5,
                   a = 2 * std::numbers::pi * c / coils;
      p.maps.push_back(
          cfloat(std::polar(std::exp(-std::hypot(x - std::cos(a) / 2, y - std::sin(a) / 2)), 2 * x)));
    }
  if (phases)
    for (int s = 0; s < shots; ++s) {
      p.phases.emplace_back();
      for (std::int64_t i = 0; i < pixels; ++i) p.phases.back().push_back(s * 0.1 * double(i % n));
    }
  for (int c = 0; c < coils; ++c)
    e.data.push_back(converted<float>(randomValues(samples, 20U + unsigned(c))));
  for (const auto& coil : e.data) p.coils.push_back(coil.data());
  return e;
}

}  // namespace spokelab::gputest::sense
