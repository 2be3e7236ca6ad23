// Random transforms of type 3, and how far one is from the exact sums; for the tests of CPU and
// GPU.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "engine/nufft/type3/type3_transform.h"
#include "tests/engine/nufft/random_problem.h"

namespace spokelab::test {

struct Type3Case {
  Type3Problem problem;
  NufftOptions options;
  std::vector<double> sources, targets;
  std::int64_t sourceCount() const { return std::int64_t(sources.size()) / problem.dims; }
  std::int64_t targetCount() const { return std::int64_t(targets.size()) / problem.dims; }
};

// e^{sign 2 pi i s . x}, [target, source].
inline std::vector<cdouble> phases(const Type3Case& c) {
  std::vector<cdouble> all;
  for (std::int64_t k = 0; k < c.targetCount(); ++k)
    for (std::int64_t j = 0; j < c.sourceCount(); ++j) {
      double turns = 0;
      for (int d = 0; d < c.problem.dims; ++d) {
        const long double t = static_cast<long double>(c.sources[std::size_t(j * c.problem.dims + d)]) *
                              c.targets[std::size_t(k * c.problem.dims + d)];
        turns += double(t - std::nearbyint(t));
      }
      all.push_back(std::polar(1.0, c.problem.sign * 2 * M_PI * turns));
    }
  return all;
}

inline std::vector<cdouble> exactType3(const Type3Case& c, const std::vector<cdouble>& phases,
                                       const std::vector<cdouble>& in, bool adjoint) {
  const auto sources = std::size_t(c.sourceCount()), targets = std::size_t(c.targetCount());
  std::vector<cdouble> out(adjoint ? sources : targets, cdouble(0));
  for (std::size_t k = 0; k < targets; ++k)
    for (std::size_t j = 0; j < sources; ++j) {
      const cdouble p = phases[k * sources + j];
      if (adjoint)
        out[j] += in[k] * std::conj(p);
      else
        out[k] += in[j] * p;
    }
  return out;
}

// As the accuracy contract has it: rms over draws of |error| / max(|y|, sqrt(R) |u|). The points
// are set.
template <class Real>
double type3Error(Type3Transform<Real>& plan, const Type3Case& c, bool adjoint, std::mt19937& random,
                  int draws = 8) {
  const std::int64_t from = adjoint ? c.targetCount() : c.sourceCount(),
                     to = adjoint ? c.sourceCount() : c.targetCount();
  const std::vector<cdouble> turned = phases(c);
  double sum = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const std::vector<cdouble> drawn = normalData(random, from);
    const std::vector<std::complex<Real>> in(drawn.begin(), drawn.end());
    const std::vector<cdouble> u(in.begin(), in.end());
    std::vector<std::complex<Real>> out(static_cast<std::size_t>(to));
    if (adjoint)
      plan.adjoint(in.data(), out.data());
    else
      plan.forward(in.data(), out.data());
    const std::vector<cdouble> y = exactType3(c, turned, u, adjoint);
    double error = 0;
    for (std::size_t i = 0; i < y.size(); ++i) error += std::norm(cdouble(out[i]) - y[i]);
    sum += error / std::max(squareNorm(y), double(to) * squareNorm(u));
  }
  return std::sqrt(sum / draws);
}

inline std::vector<double> pointsInBox(std::mt19937& random, std::int64_t count, int dims, const Vec3& middle,
                                       const Vec3& half) {
  std::uniform_real_distribution<double> place(-1, 1);
  std::vector<double> points(std::size_t(count * dims));
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = middle[i % std::size_t(dims)] + half[i % std::size_t(dims)] * place(random);
  return points;
}

// Random extents, offsets, units, counts and options; dims, precision and sign by the number.
inline Type3Case randomType3Case(int i, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  Type3Case c;
  c.problem.dims = 1 + i % 3;
  c.problem.precision = i % 2 ? Precision::double64 : Precision::single;
  c.problem.sign = i % 4 < 2 ? 1 : -1;
  const double finest = c.problem.precision == Precision::double64 ? -11 : -4.5;
  c.options.accuracy = std::pow(10, -1.5 + unit(random) * (finest + 1.5));
  if (i % 5 == 0) c.options.alpha = i % 10 ? 2 : 1.5;
  if (i % 7 == 0) c.options.axisAlpha = {0, 1 + unit(random), 2.5};
  c.options.threads = 1 + i % 2;
  const double most = c.problem.dims == 1 ? 400 : c.problem.dims == 2 ? 24 : 6;  // cycles
  Vec3 x{}, s{}, middleX{}, middleS{};
  for (std::size_t d = 0; d < 3; ++d) {
    const double scale = std::pow(10, 6 * unit(random) - 3);  // the unit of x
    x[d] = scale;
    s[d] = most * unit(random) / (4 * scale);
    middleX[d] = 5 * scale * (unit(random) - 0.5);
    middleS[d] = 20 * s[d] * (unit(random) - 0.5);
  }
  c.sources = pointsInBox(random, 1 + std::int64_t(300 * unit(random)), c.problem.dims, middleX, x);
  c.targets = pointsInBox(random, 1 + std::int64_t(300 * unit(random)), c.problem.dims, middleS, s);
  return c;
}

// One source, one target, or one of each, beside up to 12 others; every ratio; double precision.
inline Type3Case singlePointCase(int i, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  constexpr double alphas[] = {0, 1.25, 1.5, 2, 2.5};
  Type3Case c;
  c.problem = {1 + i % 3, Precision::double64, i % 2 ? 1 : -1, 1};
  c.options.alpha = alphas[i / 3 % 5];
  c.options.accuracy = std::pow(10, -1.3 - 6 * unit(random));
  const Vec3 x{0.5, 0.5, 0.5}, s{unit(random), 4 * unit(random), unit(random)};
  const int form = i / 15 % 3, others = 2 + int(10 * unit(random));
  c.sources = pointsInBox(random, form == 0 || form == 1 ? 1 : others, c.problem.dims, {0.3, -2, 7}, x);
  c.targets = pointsInBox(random, form == 0 || form == 2 ? 1 : others, c.problem.dims, {1, 0.2, -5}, s);
  return c;
}

struct UnusualPoints {
  const char* name;
  std::vector<double> sources, targets;  // 2-D
};

// Targets at the edges of their box alone, where the division amplifies most; all in one place;
// sources in one place; one point of each; boxes without extent.
inline std::vector<UnusualPoints> unusualType3Points() {
  std::mt19937 random(3);
  const std::vector<double> spread = pointsInBox(random, 150, 2, {}, {1, 1, 1});
  std::vector<double> corners;
  for (int i = 0; i < 200; ++i) corners.insert(corners.end(), {i % 2 ? -9. : 9., i % 4 < 2 ? -9. : 9.});
  const std::vector<double> same(100, 0.37);
  return {{"corners", spread, corners},
          {"sources at corners", corners, spread},
          {"targets in one place", spread, same},
          {"sources in one place", same, spread},
          {"one of each", {1e6, -3.0}, {2e-3, 5.0}},
          {"on a line", spread, {0., 0., 3., 0., -5., 0.}},
          {"minute extents", spread, {1e-300, 0., 0., 1e-290}}};
}

}  // namespace spokelab::test
