// Random problems of a normal operator: points as scanners sample and as none does, weights, sizes,
// precisions, accuracies and oversampling.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "engine/core/text.h"
#include "engine/nufft/tune/tune.h"
#include "tests/engine/nufft/random_problem.h"

namespace spokelab::test {

enum class Placing { uniform, crowded, lines, radial, spiral, jittered };
inline constexpr std::array<const char*, 6> placingNames = {"uniform", "crowded", "lines",
                                                            "radial",  "spiral",  "jittered"};

struct NormalErrorCase {
  Placing placing = Placing::uniform;
  std::vector<double> points, weights;
  bool areas = false;   // the weights are the samples' areas
  TuneRequest request;  // without points and weights

  // Many samples lie at one place between the cells of a grid: evenly spaced ones, and the centre
  // that spokes share unless their weights take it out. All aliases of a pixel add in phase there.
  bool isCoherent() const {
    const int dims = request.problem.dims;
    const bool rows = dims == 1 && placing == Placing::lines;
    const bool planes = dims == 3 && placing == Placing::spiral;
    return placing == Placing::jittered || (placing == Placing::radial && !areas) || rows || planes;
  }
  TuneRequest& ask() {
    request.points = points;
    request.weights = weights;
    return request;
  }
  std::string text() const {
    const NufftProblem& p = request.problem;
    return std::to_string(p.size[0]) + "x" + std::to_string(p.size[1]) + "x" + std::to_string(p.size[2]) +
           " " + placingNames[std::size_t(placing)] +
           (weights.empty() ? ""
            : areas         ? " areas"
                            : " weighted") +
           (p.precision == Precision::single ? " float " : " double ") +
           numberText(request.options.accuracy) + " alpha " + numberText(request.options.alpha);
  }
};

class NormalErrorCases {
 public:
  explicit NormalErrorCases(unsigned seed) : random_(seed) {}

  // A case with at least this number of samples.
  NormalErrorCase next(std::int64_t samples = 0) {
    NormalErrorCase c;
    const int dims = int(integer(1, 3));
    const Precision precision = integer(0, 1) ? Precision::double64 : Precision::single;
    const Index3 size = dims == 1   ? Index3{integer(100, 1500), 1, 1}
                        : dims == 2 ? Index3{integer(20, 48), integer(20, 48), 1}
                                    : Index3{integer(9, 16), integer(9, 16), integer(9, 16)};
    c.request.problem = problemOf(dims, size, precision, integer(0, 1) ? 1 : -1);
    const auto count = std::max(samples, std::int64_t(double(product(size)) * uniform(0.4, 2)));
    c.placing = Placing(integer(0, int(placingNames.size()) - 1));
    c.points = pointsOf(c.placing, count, dims, size);
    if (integer(0, 1)) {
      c.areas = dims > 1 && integer(0, 1);
      c.weights = weightsOf(c.points, dims, c.areas);
    }
    NufftOptions& o = c.request.options;
    o.accuracy = std::pow(10.0, -uniform(1.5, precision == Precision::double64 ? 11 : 5));
    o.alpha = uniform(1.3, 2.2);
    o.threads = 1;
    c.request.workload.direction = Direction::normal;
    c.request.trials = 1;
    return c;
  }

 private:
  std::int64_t integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  std::array<double, 3> direction(int dims) {
    std::normal_distribution<double> normal;
    std::array<double, 3> v{};
    for (int d = 0; d < dims; ++d) v[std::size_t(d)] = normal(random_);
    const double norm = std::hypot(v[0], v[1], v[2]);
    for (double& x : v) x /= norm;
    return v;
  }

  // A readout has a sample for each pixel of the image's longest side.
  std::vector<double> pointsOf(Placing placing, std::int64_t count, int dims, const Index3& size) {
    std::vector<double> points = uniformPoints(random_, count, dims);
    const std::int64_t length = std::max({size[0], size[1], size[2]});
    const double turns = uniform(2, 8);
    std::array<double, 3> along{};
    std::array<double, 3> start{};
    double phase = 0;
    for (std::int64_t j = 0; j < count; ++j) {
      double* k = &points[std::size_t(j * dims)];
      const std::int64_t sample = j % length;
      const double part = (double(sample) + 0.5) / double(length);
      if (sample == 0) {
        along = direction(dims);
        for (double& s : start) s = uniform(-0.5, 0.5);
        phase = uniform(0, 2 * std::numbers::pi);
      }
      switch (placing) {
        case Placing::uniform:
          break;
        case Placing::crowded:  // towards the middle
          for (int d = 0; d < dims; ++d) k[d] *= std::abs(2 * k[d]);
          break;
        case Placing::lines:  // along x, elsewhere at random
          for (int d = 0; d < dims; ++d)
            k[d] = d == 0 ? part - 0.5 + start[0] / double(length) : start[std::size_t(d)];
          break;
        case Placing::radial:
          for (int d = 0; d < dims; ++d) k[d] = (part - 0.5) * along[std::size_t(d)];
          break;
        case Placing::spiral:  // a stack of them in three dimensions
          k[0] = 0.5 * part * std::cos(phase + turns * part * 2 * std::numbers::pi);
          if (dims > 1) k[1] = 0.5 * part * std::sin(phase + turns * part * 2 * std::numbers::pi);
          if (dims > 2) k[2] = std::nearbyint(start[2] * double(size[2])) / double(size[2]);
          break;
        case Placing::jittered:  // beside the points of a grid
          for (int d = 0; d < dims; ++d) {
            const double n = double(size[std::size_t(d)]);
            k[d] = (std::nearbyint(k[d] * n) + 0.1 * uniform(-1, 1)) / n;
          }
          break;
      }
    }
    return points;
  }

  // As large as the area that a sample of a spoke has, or at random.
  std::vector<double> weightsOf(const std::vector<double>& points, int dims, bool areas) {
    std::vector<double> weights;
    for (std::size_t j = 0; j < points.size(); j += std::size_t(dims)) {
      double radius = 0;
      for (int d = 0; d < dims; ++d) radius = std::hypot(radius, points[j + std::size_t(d)]);
      weights.push_back(areas ? std::pow(radius, dims - 1) : uniform(0.1, 2));
    }
    return weights;
  }

  std::mt19937 random_;
};

}  // namespace spokelab::test
