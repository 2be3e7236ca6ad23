// What every proximal map shows, and the values that it is shown with.
#pragma once

#include <QtTest>
#include <cmath>
#include <random>

#include "engine/core/array.h"

namespace spokelab::test {

inline Buffer<cdouble> randomValues(std::int64_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  Buffer<cdouble> values(static_cast<std::size_t>(count));
  for (cdouble& v : values) {
    const double real = normal(engine);
    v = {real, normal(engine)};
  }
  return values;
}

// <a, b> over real and imaginary parts.
inline double inner(const Buffer<cdouble>& a, const Buffer<cdouble>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (std::conj(a[i]) * b[i]).real();
  return sum;
}
inline double norm(const Buffer<cdouble>& a) {
  return std::sqrt(inner(a, a));
}
inline Buffer<cdouble> minus(const Buffer<cdouble>& a, const Buffer<cdouble>& b) {
  Buffer<cdouble> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}
inline double distance(const Buffer<cdouble>& a, const Buffer<cdouble>& b) {
  return norm(minus(a, b));
}

// |P a - P b|^2 <= <P a - P b, a - b>, up to `slack`.
template <class Map>
void verifyFirmlyNonExpansive(std::int64_t count, double slack, const Map& map) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Buffer<cdouble> a = randomValues(count, 2 * seed), b = randomValues(count, 2 * seed + 1);
    Buffer<cdouble> pa = a, pb = b;
    map(pa.data());
    map(pb.data());
    const Buffer<cdouble> moved = minus(pa, pb);
    QVERIFY(norm(moved) > 0);
    QVERIFY(inner(moved, moved) <= inner(moved, minus(a, b)) * (1 + slack));
  }
}

// No value near x is smaller than that of x by more than `slack`, relative: along random
// directions, and along single values.
template <class Value>
void verifyMinimum(const Buffer<cdouble>& x, double slack, const Value& value, unsigned draws = 60) {
  const double least = value(x);
  for (unsigned seed = 100; seed < 100 + draws; ++seed)
    for (const double length : {1e-3, 1e-2, 1e-1}) {
      Buffer<cdouble> other = randomValues(std::int64_t(x.size()), seed);
      if (seed % 2) {
        const std::size_t kept = seed % x.size();
        for (std::size_t i = 0; i < other.size(); ++i)
          if (i != kept) other[i] = 0;
      }
      for (std::size_t i = 0; i < other.size(); ++i) other[i] = x[i] + length * other[i];
      QVERIFY2(value(other) >= least * (1 - slack), qPrintable(QString::number(value(other) / least - 1)));
    }
}

}  // namespace spokelab::test
