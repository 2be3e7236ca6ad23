// Random transforms and data for the tests of this folder.
#pragma once

#include <random>
#include <vector>

#include "engine/nufft/problem/problem.h"

namespace spokelab::test {

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

inline NufftProblem problemOf(int dims, Index3 size, Precision precision = Precision::dbl, int sign = -1) {
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
