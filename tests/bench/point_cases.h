// Problems with patterns of points, for the benches of the CPU and the GPU, and where the points
// are taken.
#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "engine/nufft/problem/problem.h"

namespace spokelab::bench {

enum class Points { random, gaussian, clustered, radial, shuffledRadial, stars, spirals };

struct GpuCase {
  std::string name;
  NufftProblem problem;
  Points pattern = Points::random;
  double density = 1;  // M / N^d
  double accuracy = 1e-3;
  unsigned seed = 11;  // of the points

  // [M, dims], cycles per pixel, seeded.
  std::vector<double> points() const;
};

inline std::vector<double> GpuCase::points() const {
  using std::numbers::pi;
  const int dims = problem.dims;
  const std::int64_t n = problem.size[0], count = std::int64_t(density * double(problem.pixels()));
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  std::vector<double> p;
  p.reserve(static_cast<std::size_t>(count * dims));
  constexpr double golden = 2.399963229728653, fineGrid = 2, clusterCells = 8, planeTurn = 0.37;
  const auto radius = [&](std::int64_t s) { return double(s % n) / double(n) - 0.5; };  // the full diameter
  switch (pattern) {
    case Points::random:
      for (std::int64_t i = 0; i < count * dims; ++i) p.push_back(uniform(generator));
      break;
    case Points::gaussian: {
      std::normal_distribution<double> normal(0, 1.0 / 6);  // of the field's width
      while (std::int64_t(p.size()) < count * dims)
        if (const double x = normal(generator); std::abs(x) < 0.5) p.push_back(x);
      break;
    }
    case Points::clustered:  // 8 cells of the grid at twice the size, at one corner
      for (std::int64_t i = 0; i < count * dims; ++i)
        p.push_back(-0.5 + (uniform(generator) + 0.5) * clusterCells / (fineGrid * double(n)));
      break;
    case Points::radial:
    case Points::shuffledRadial: {
      const std::int64_t lines = (count + n - 1) / n;  // the last may be cut short
      for (std::int64_t j = 0; j < count; ++j) {
        const std::int64_t line = j / n;
        const double r = radius(j);
        if (dims == 2) {
          p.push_back(r * std::cos(golden * double(line)));
          p.push_back(r * std::sin(golden * double(line)));
        } else {  // directions spread by the golden ratio over the sphere
          const double z = 1 - 2 * (double(line) + 0.5) / double(lines), s = std::sqrt(1 - z * z);
          p.push_back(r * s * std::cos(golden * double(line)));
          p.push_back(r * s * std::sin(golden * double(line)));
          p.push_back(r * z);
        }
      }
      if (pattern == Points::shuffledRadial)
        for (std::int64_t j = count - 1; j > 0; --j) {
          const auto k = std::int64_t(generator() % std::uint64_t(j + 1));
          for (int d = 0; d < dims; ++d)
            std::swap(p[std::size_t(j * dims + d)], p[std::size_t(k * dims + d)]);
        }
      break;
    }
    case Points::stars: {  // N planes of golden-angle spokes
      const std::int64_t perPlane = count / n;
      for (std::int64_t j = 0; j < perPlane * n; ++j) {
        const std::int64_t plane = j / perPlane, spoke = j % perPlane / n;
        const double angle = golden * double(spoke) + planeTurn * double(plane), r = radius(j);
        p.push_back(r * std::cos(angle));
        p.push_back(r * std::sin(angle));
        p.push_back(double(plane) / double(n) - 0.5);
      }
      break;
    }
    case Points::spirals: {
      constexpr std::int64_t turns = 16;
      const std::int64_t arms = n / (2 * turns), perArm = count / arms;
      for (std::int64_t j = 0; j < perArm * arms; ++j) {
        const double t = double(j % perArm) / double(perArm),
                     angle = 2 * pi * (turns * t + double(j / perArm) / double(arms));
        p.push_back(0.5 * t * std::cos(angle));
        p.push_back(0.5 * t * std::sin(angle));
      }
      break;
    }
  }
  return p;
}

inline std::vector<GpuCase> gpuCases() {
  std::vector<GpuCase> cases;
  const auto add = [&](int dims, std::int64_t n, bool dbl, Points pattern, const char* patternName,
                       double density, double accuracy) {
    GpuCase c;
    c.problem.dims = dims;
    c.problem.size = {n, n, dims == 3 ? n : 1};
    c.problem.precision = dbl ? Precision::double64 : Precision::single;
    c.pattern = pattern;
    c.density = density;
    c.accuracy = accuracy;
    char text[128];
    std::snprintf(text, sizeof text, "%d-D %lld %s %.0e %s M/N^d %g", dims, static_cast<long long>(n),
                  dbl ? "double" : "float", accuracy, patternName, density);
    c.name = text;
    cases.push_back(c);
  };
  const std::pair<Points, const char*> spatial[] = {{Points::random, "random"},
                                                    {Points::clustered, "clustered"},
                                                    {Points::radial, "radial"},
                                                    {Points::shuffledRadial, "shuffled"},
                                                    {Points::stars, "stars"}};
  for (const auto& [pattern, name] : spatial) {
    for (const double accuracy : {1e-2, 1e-3, 1e-5}) add(3, 128, false, pattern, name, 1, accuracy);
  }
  for (const double density : {1.0 / 16, 0.25, 8.0})
    for (const auto& [pattern, name] :
         {std::pair{Points::random, "random"}, std::pair{Points::radial, "radial"}})
      add(3, 128, false, pattern, name, density, 1e-3);
  for (const auto& [pattern, name] :
       {std::pair{Points::random, "random"}, std::pair{Points::radial, "radial"}})
    add(3, 256, false, pattern, name, 1, 1e-3);
  for (const auto& [pattern, name] :
       {std::pair{Points::random, "random"}, std::pair{Points::radial, "radial"},
        std::pair{Points::spirals, "spirals"}})
    add(2, 1024, false, pattern, name, 4, 1e-3);
  for (const double accuracy : {1e-6, 1e-9}) {
    add(3, 128, true, Points::random, "random", 1, accuracy);
    add(3, 128, true, Points::radial, "radial", 1, accuracy);
    add(2, 1024, true, Points::random, "random", 4, accuracy);
  }
  for (const double density : {1.0, 10.0}) add(3, 256, true, Points::random, "random", density, 1e-6);
  return cases;
}

}  // namespace spokelab::bench
