// The accuracy contract of the normal operator: random problems, compared with adjoint . weights .
// forward by exact sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "engine/core/text.h"
#include "tests/engine/nufft/contract.h"

namespace spokelab::test {

struct NormalContractCase {
  NufftProblem problem;
  NufftOptions options;
  std::vector<double> points, weights;
  const char* where = "";

  std::string text() const {
    return std::string(normalMethodName(options.normal)) + " " + std::to_string(problem.dims) + "-D " +
           std::to_string(problem.size[0]) + "x" + std::to_string(problem.size[1]) + "x" +
           std::to_string(problem.size[2]) + ", " +
           std::to_string(points.size() / std::size_t(problem.dims)) + " points " + where +
           (weights.empty() ? "" : ", weighted") +
           (problem.precision == Precision::single ? ", float, " : ", double, ") +
           std::string(kernelName(options.kernel)) + ", accuracy " + numberText(options.accuracy, 3) +
           ", alpha " + numberText(options.alpha, 4) + ", W " + numberText(options.width, 4);
  }
};

// Points that spread over the grid, meet in a cell or on a spoke, or lie on the pixels' own grid;
// one to many.
inline NormalContractCase randomNormalCase(std::mt19937& random) {
  NormalContractCase c;
  NufftProblem& p = c.problem;
  p.dims = int(between(random, 1, 3));
  const std::int64_t largest = p.dims == 1 ? 200 : p.dims == 2 ? 32 : 11;
  for (int d = 0; d < p.dims; ++d) p.size[std::size_t(d)] = between(random, 2, largest);
  p.precision = between(random, 0, 1) ? Precision::single : Precision::double64;
  p.sign = between(random, 0, 1) ? 1 : -1;
  c.options = randomOptions(random, p.precision);
  c.options.threads = 1;
  const std::int64_t count = between(random, 0, 3) == 0 ? between(random, 1, 4) : between(random, 5, 150);
  c.points = uniformPoints(random, count, p.dims);
  constexpr const char* places[] = {"anywhere", "in one cell", "on a spoke", "on the pixels' grid"};
  const auto place = std::size_t(between(random, 0, 5));
  c.where = places[place < 3 ? 0 : place - 2];
  const std::vector<double> first(c.points.begin(), c.points.begin() + p.dims);
  for (std::int64_t j = 0; j < count; ++j)
    for (std::size_t d = 0; d < std::size_t(p.dims); ++d) {
      double& k = c.points[std::size_t(j) * std::size_t(p.dims) + d];
      const auto n = double(p.size[d]);
      if (place == 3) k = first[d] + k / (2 * n);
      if (place == 4) k = first[d] * (2 * double(j) / double(count) - 1);
      if (place == 5) k = std::floor(k * n) / n;
    }
  const std::int64_t weighting = between(random, 0, 2);
  for (std::int64_t j = 0; weighting > 0 && j < count; ++j) {
    double radius = 0;
    for (std::int64_t d = 0; d < p.dims; ++d)
      radius = std::hypot(radius, c.points[std::size_t(j * p.dims + d)]);
    c.weights.push_back(weighting == 1 ? uniform(random, 0.1, 2) : 0.01 + std::pow(radius, p.dims - 1));
  }
  return c;
}

struct NormalContractResult {
  double error = 0;  // root of the sums over the draws, |error| over |y|
  double bound = 0;  // of each transform, PredictedError::bound
};

template <class Real>
NormalContractResult runNormalContract(const NormalContractCase& c, std::mt19937& random) {
  constexpr std::int64_t outputs = 400, fewest = 8;
  const auto plan = cpuPlan<Real>(c.problem, c.options);
  plan->setPoints(c.points);
  plan->setWeights(c.weights);
  double error = 0, norm = 0;
  const std::int64_t draws = std::max(fewest, outputs / c.problem.pixels());
  for (std::int64_t i = 0; i < draws; ++i) {
    std::vector<std::complex<Real>> image;
    for (const cdouble& v : normalData(random, c.problem.pixels())) image.emplace_back(v);
    std::vector<cdouble> samples =
        nudftForward(c.problem, c.points, std::vector<cdouble>(image.begin(), image.end()));
    for (std::size_t j = 0; j < c.weights.size(); ++j) samples[j] *= c.weights[j];
    const std::vector<cdouble> exact = nudftAdjoint(c.problem, c.points, samples);
    plan->normal(image.data(), image.data());
    for (std::size_t n = 0; n < exact.size(); ++n) error += std::norm(cdouble(image[n]) - exact[n]);
    norm += squareNorm(exact);
  }
  return {norm > 0 ? std::sqrt(error / norm) : 0, plan->info().error.bound};
}

inline NormalContractResult runNormalContract(const NormalContractCase& c, std::mt19937& random) {
  return c.problem.precision == Precision::single ? runNormalContract<float>(c, random)
                                                  : runNormalContract<double>(c, random);
}

}  // namespace spokelab::test
