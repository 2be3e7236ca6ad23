// One case of the bench that draws its cases: dimension, sizes, pattern, density, accuracy,
// precision, coils and direction, all from a seed and the draw's number. Sizes are bounded, so that
// a draw takes a second or two on a large GPU.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "tests/bench/point_cases.h"

namespace spokelab::bench {

struct Draw {
  int number = 0;
  GpuCase c;
  bool adjoint = false;
};

// Bounds of what is drawn.
struct DrawLimits {
  double maxPoints = 1 << 23;
  double maxValues = 1 << 25;                   // of all coils: images or samples, in single precision
  std::array<double, 3> logPixels{20, 22, 24};  // at most, in 1-D, 2-D, 3-D; base-2 logarithms
};
inline constexpr DrawLimits limitsOfGpu{}, limitsOfCpu{1 << 21, 1 << 23, {18, 19, 20}};

class DrawCase {
 public:
  DrawCase(std::uint64_t seed, int number, const DrawLimits& limits = limitsOfGpu)
      : random_(seed * draws + std::uint64_t(number)), number_(number), limits_(limits) {}

  Draw draw() {
    Draw d;
    d.number = number_;
    d.c.seed = unsigned(number_) + 1;
    NufftProblem& p = d.c.problem;
    p.dims = pick({1, 2, 2, 2, 3, 3, 3});
    p.precision = pick({Precision::single, Precision::single, Precision::double64});
    const bool dbl = p.precision == Precision::double64;
    d.c.accuracy = std::pow(10, -(dbl ? uniform(3, 12) : uniform(1.5, 5.5)));
    d.c.density = std::exp2(uniform(-maxLogDensity, maxLogDensity));
    drawSizes(d.c);
    const std::int64_t points = count(d.c);
    drawPattern(d.c, points);
    d.adjoint = pick({true, false});
    const double room =
        (dbl ? limits_.maxValues / 2 : limits_.maxValues) / double(std::max(points, p.pixels()));
    const double coils = std::floor(std::exp2(uniform(0, std::log2(maxCoils + 1))));
    if (pick({true, false})) p.batch = std::int64_t(std::clamp(coils, 1.0, std::max(1.0, room)));
    d.c.name = nameOf(d);
    return d;
  }

 private:
  static constexpr std::uint64_t draws = 1000003;  // of one seed, at most
  static constexpr double maxLogDensity = 6;       // M / N^d from 1/64 to 64
  static constexpr double minPoints = 512;
  static constexpr double maxCoils = 32;

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(random_)];
  }
  bool pick(std::initializer_list<bool> from) {
    return pick(std::vector<int>(from.begin(), from.end())) != 0;
  }
  template <class T>
  T pick(std::initializer_list<T> from) {
    return pick(std::vector<T>(from));
  }
  static std::int64_t count(const GpuCase& c) { return std::int64_t(c.density * double(c.problem.pixels())); }

  // Pixels in all first, then what each axis has of them: equal or not; multiples of 8, even or
  // odd.
  void drawSizes(GpuCase& c) {
    NufftProblem& p = c.problem;
    constexpr double lowest[] = {9, 12, 15};  // base-2 logarithms
    const double low = std::max(lowest[p.dims - 1], std::log2(minPoints / c.density)),
                 high = std::min(limits_.logPixels[std::size_t(p.dims) - 1],
                                 std::log2(limits_.maxPoints / c.density));
    const double side = std::exp2(uniform(std::min(low, high), high) / p.dims);
    const bool anisotropic = pick({true, false});
    const int step = pick({8, 2, 1});  // 1: odd
    for (int d = 0; d < p.dims; ++d) {
      const double n = side * (anisotropic ? std::exp2(uniform(-0.5, 0.5)) : 1.0);
      p.size[std::size_t(d)] =
          step == 1 ? 2 * std::int64_t(n / 2) + 1 : std::max<std::int64_t>(1, std::int64_t(n / step)) * step;
    }
  }

  void drawPattern(GpuCase& c, std::int64_t points) {
    constexpr std::int64_t minSpiralSize = 32;
    const std::int64_t n = c.problem.size[0];
    std::vector<Points> patterns{Points::random, Points::gaussian, Points::clustered};
    if (c.problem.dims > 1 && points >= n)
      patterns.insert(patterns.end(), {Points::radial, Points::radial, Points::shuffledRadial});
    if (c.problem.dims == 2 && points >= n && n >= minSpiralSize)
      patterns.insert(patterns.end(), {Points::spirals, Points::spirals});
    if (c.problem.dims == 3 && points >= n) patterns.insert(patterns.end(), {Points::stars, Points::stars});
    c.pattern = pick(patterns);
  }

  static std::string nameOf(const Draw& d) {
    static constexpr const char* patterns[] = {"random",   "gaussian", "clustered", "radial",
                                               "shuffled", "stars",    "spirals"};
    const NufftProblem& p = d.c.problem;
    std::string size = std::to_string(p.size[0]);
    for (int i = 1; i < p.dims; ++i) size += "x" + std::to_string(p.size[std::size_t(i)]);
    char text[160];
    std::snprintf(text, sizeof text, "%d-D %s %s %.1e %s M/N^d %.3g x %lld type %d", p.dims, size.c_str(),
                  p.precision == Precision::double64 ? "double" : "float", d.c.accuracy,
                  patterns[int(d.c.pattern)], d.c.density, static_cast<long long>(p.batch),
                  d.adjoint ? 1 : 2);
    return text;
  }

  std::mt19937_64 random_;
  int number_;
  DrawLimits limits_;
};

}  // namespace spokelab::bench
