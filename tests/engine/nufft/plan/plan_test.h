// Plans, points and data for the tests of plans.
#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "engine/nufft/exact/nudft.h"
#include "engine/nufft/plan/plan.h"

namespace spokelab::test {

template <class Real>
std::unique_ptr<Nufft<Real>> makePlan(NufftProblem problem, const NufftOptions& options) {
  if constexpr (std::is_same_v<Real, float>) {
    problem.precision = Precision::single;
    return makeCpuNufftFloat(problem, options);
  } else {
    problem.precision = Precision::double64;
    return makeCpuNufftDouble(problem, options);
  }
}

inline std::vector<double> randomPoints(int dims, std::int64_t count, unsigned seed, double extent = 0.5) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-extent, extent);
  std::vector<double> points(static_cast<std::size_t>(dims * count));
  for (double& k : points) k = uniform(generator);
  return points;
}

// Spokes through the centre: most points lie in few tiles.
inline std::vector<double> radialPoints(int dims, std::int64_t spokes, std::int64_t samples, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<double> points;
  for (std::int64_t s = 0; s < spokes; ++s) {
    double direction[3], length = 0;
    for (int d = 0; d < dims; ++d) {
      direction[d] = normal(generator);
      length += direction[d] * direction[d];
    }
    for (std::int64_t i = 0; i < samples; ++i) {
      for (int d = 0; d < dims; ++d) {
        points.push_back(direction[d] / std::sqrt(length) *
                         (static_cast<double>(i) / static_cast<double>(samples) - 0.5));
      }
    }
  }
  return points;
}

template <class Real>
std::vector<std::complex<Real>> randomData(std::int64_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<std::complex<Real>> data(static_cast<std::size_t>(count));
  for (auto& value : data) {
    const double re = normal(generator), im = normal(generator);
    value = {static_cast<Real>(re), static_cast<Real>(im)};
  }
  return data;
}

template <class Real>
double distance(const std::complex<Real>* a, const std::vector<cdouble>& exact) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    difference += std::norm(cdouble(a[i]) - exact[i]);
    norm += std::norm(exact[i]);
  }
  return std::sqrt(difference / norm);
}

// Relative errors of both directions against the exact sums, the larger one.
template <class Real>
double errorOf(const NufftProblem& problem, const NufftOptions& options, const std::vector<double>& points) {
  const auto plan = makePlan<Real>(problem, options);
  plan->setPoints(points);
  const std::int64_t count = plan->points();
  NufftProblem one = problem;
  one.batch = 1;
  const auto image = randomData<Real>(problem.batch * problem.pixels(), 1);
  const auto samples = randomData<Real>(problem.batch * count, 2);
  std::vector<std::complex<Real>> forward(samples.size()), adjoint(image.size());
  plan->forward(image.data(), forward.data());
  plan->adjoint(samples.data(), adjoint.data());
  double worst = 0;
  for (std::int64_t b = 0; b < problem.batch; ++b) {
    const auto* f = image.data() + b * problem.pixels();
    const auto* c = samples.data() + b * count;
    const std::vector<cdouble> f64(f, f + problem.pixels()), c64(c, c + count);
    worst = std::max(worst, distance(forward.data() + b * count, nudftForward(one, points, f64)));
    worst = std::max(worst, distance(adjoint.data() + b * problem.pixels(), nudftAdjoint(one, points, c64)));
  }
  return worst;
}

inline NufftOptions withAccuracy(double accuracy, double alpha = 2, int threads = 2) {
  NufftOptions options;
  options.accuracy = accuracy;
  options.alpha = alpha;
  options.threads = threads;
  return options;
}

}  // namespace spokelab::test
