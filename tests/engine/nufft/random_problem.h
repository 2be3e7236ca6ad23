// Random transforms and data for the tests of this folder.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab::test {

inline std::int64_t between(std::mt19937& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

inline double uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

// Accuracy, kernel, its evaluation, alpha, and ratios of single dimensions: what can be had, as a
// rule.
inline NufftOptions randomOptions(std::mt19937& random, Precision precision) {
  NufftOptions o;
  o.accuracy = std::pow(10.0, -uniform(random, 1, precision == Precision::single ? 5 : 12));
  o.kernel = KernelType(between(random, 0, 3));
  if (o.kernel == KernelType::gaussian && o.accuracy < 1e-4)
    o.kernel = KernelType::automatic;  // it is too wide
  o.precomputation = Precomputation(between(random, 0, 4));
  if (o.precomputation == Precomputation::linear && o.accuracy < 1e-8)
    o.precomputation = Precomputation::tensor;
  o.alpha = between(random, 0, 4) == 0 ? 0 : uniform(random, 1.05, 2.5);
  if (between(random, 0, 2) == 0)
    for (double& ratio : o.axisAlpha) ratio = between(random, 0, 1) ? 0 : uniform(random, 1, 2.5);
  return o;
}

// True if a plan with such options may be refused for this reason.
inline bool mayBeRefused(const NufftOptions& o, const std::string& reason) {
  // Near alpha 1 a table needs more values than are ever made.
  const bool table = o.precomputation == Precomputation::linear &&
                     reason.find("a linear table would need more") != std::string::npos;
  // With alpha open all of these can be had.
  return o.alpha != 0 && (table || reason.find("out of reach") != std::string::npos);
}

inline std::vector<double> uniformPoints(std::mt19937& random, std::int64_t count, int dims) {
  std::uniform_real_distribution<double> k(-0.5, 0.5);
  std::vector<double> points(std::size_t(count * dims));
  for (double& v : points) v = k(random);
  return points;
}

inline std::vector<cdouble> normalData(std::mt19937& random, std::int64_t count) {
  std::normal_distribution<double> g(0, 1);
  std::vector<cdouble> data(static_cast<std::size_t>(count));
  for (cdouble& v : data) v = {g(random), g(random)};
  return data;
}

inline NufftProblem problemOf(int dims, Index3 size, Precision precision = Precision::double64,
                              int sign = -1) {
  NufftProblem p;
  p.dims = dims;
  p.size = size;
  p.precision = precision;
  p.sign = sign;
  return p;
}

template <class T>
double squareNorm(const std::vector<T>& v) {
  double sum = 0;
  for (const T& x : v) sum += std::norm(x);
  return sum;
}

}  // namespace spokelab::test
