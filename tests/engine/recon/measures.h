// Measures that the tests of reconstruction share.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/core/array.h"

namespace spokelab::test {

// ||a - b|| / ||b||
template <class A, class B>
double relativeDifference(const A& a, const B& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += std::norm(cdouble(a[i]) - cdouble(b[i]));
    norm += std::norm(cdouble(b[i]));
  }
  return std::sqrt(difference / norm);
}

// ||s a - b|| / ||b|| with the least-squares scale s, for real values.
inline double nrmse(std::span<const double> a, std::span<const double> b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return std::sqrt(std::max(0.0, bb - ab * ab / aa) / bb);
}

inline double sum(std::span<const double> values) {
  double total = 0;
  for (double v : values) total += v;
  return total;
}

}  // namespace spokelab::test
