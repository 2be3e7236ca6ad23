// Plans of several sets of points, for the tests of CPU and GPU: sets of different sizes, errors
// against the exact sums, and the same sets one by one.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/nufft/exact/nudft.h"
#include "engine/nufft/nufft.h"

namespace spokelab::test {

struct SetCase {
  NufftProblem problem;  // of one set
  std::vector<double> points;
  std::vector<std::int64_t> offsets{0};

  std::int64_t sets() const { return std::int64_t(offsets.size()) - 1; }
  std::int64_t count() const { return offsets.back(); }
  PlanPoints view() const { return {points, offsets}; }
  std::span<const double> pointsOf(std::int64_t set) const {
    const auto dims = std::size_t(problem.dims), begin = std::size_t(offsets[std::size_t(set)]) * dims,
               end = std::size_t(offsets[std::size_t(set) + 1]) * dims;
    return std::span(points).subspan(begin, end - begin);
  }
};

// Every third set is crowded at the centre.
inline SetCase makeSets(const NufftProblem& problem, const std::vector<std::int64_t>& counts, unsigned seed) {
  SetCase made{problem, {}, {0}};
  std::mt19937_64 generator(seed);
  for (std::size_t s = 0; s < counts.size(); ++s) {
    const double extent = s % 3 == 2 ? 0.02 : 0.5;
    std::uniform_real_distribution<double> place(-extent, extent);
    for (std::int64_t i = 0; i < counts[s] * problem.dims; ++i) made.points.push_back(place(generator));
    made.offsets.push_back(made.offsets.back() + counts[s]);
  }
  return made;
}

// As many sets as fill more than one pass of a GPU of small images, none alike; some have no
// points.
inline std::vector<std::int64_t> unevenCounts(std::int64_t sets) {
  std::vector<std::int64_t> counts;
  for (std::int64_t s = 0; s < sets; ++s) counts.push_back(s % 5 == 3 ? 0 : s == 0 ? 1 : 40 + 97 * s % 400);
  return counts;
}

template <class Real>
std::vector<std::complex<Real>> setData(std::int64_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<std::complex<Real>> data(static_cast<std::size_t>(count));
  for (auto& value : data) {
    const double re = normal(generator), im = normal(generator);
    value = {Real(re), Real(im)};
  }
  return data;
}

template <class Complex>
double normOf(std::span<const Complex> values) {
  double squares = 0;
  for (const Complex& v : values) squares += std::norm(cdouble(v));
  return std::sqrt(squares);
}

// The accuracy contract's error of y from u.
template <class Complex>
double contractErrorOf(std::span<const Complex> y, const std::vector<cdouble>& exact,
                       std::span<const Complex> u) {
  double squares = 0;
  for (std::size_t i = 0; i < y.size(); ++i) squares += std::norm(cdouble(y[i]) - exact[i]);
  const double scale = std::max(normOf<cdouble>(exact), std::sqrt(double(y.size())) * normOf<Complex>(u));
  return squares == 0 ? 0 : std::sqrt(squares) / scale;
}

// |a - b| / |b|; 0 where both are the same.
template <class Complex>
double differenceOf(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += std::norm(cdouble(a[i]) - cdouble(b[i]));
  return squares == 0 ? 0 : std::sqrt(squares) / normOf<Complex>(b);
}

struct SetErrors {
  double forward = 0, adjoint = 0;  // of the worst set
};

template <class Real>
struct SetResults {
  std::vector<std::complex<Real>> samples, images, normals;
};

inline NufftProblem ofSets(NufftProblem problem, std::int64_t sets) {
  problem.sets = sets;
  return problem;
}

template <class Real>
std::unique_ptr<Nufft<Real>> planOfSets(NufftBackend& backend, const SetCase& given,
                                        const NufftOptions& options) {
  auto plan = backend.plan<Real>(ofSets(given.problem, given.sets()), options);
  plan->setPoints(given.view());
  return plan;
}

// Forward of the images, adjoint of the samples, weighted normal of the images: all sets together.
template <class Real>
SetResults<Real> resultsTogether(Nufft<Real>& plan, const SetCase& given,
                                 const std::vector<std::complex<Real>>& images,
                                 const std::vector<std::complex<Real>>& samples,
                                 const std::vector<double>& weights) {
  const std::size_t values = samples.size(), pixels = images.size();
  SetResults<Real> all{std::vector<std::complex<Real>>(values), std::vector<std::complex<Real>>(pixels),
                       std::vector<std::complex<Real>>(pixels)};
  plan.forward(images.data(), all.samples.data());
  plan.adjoint(samples.data(), all.images.data());
  plan.setWeights(weights);
  plan.normal(images.data(), all.normals.data());
  static_cast<void>(given);
  return all;
}

// The same by a plan of one set that is given one set after the other.
template <class Real>
SetResults<Real> resultsOneByOne(NufftBackend& backend, const SetCase& given, const NufftOptions& options,
                                 const std::vector<std::complex<Real>>& images,
                                 const std::vector<std::complex<Real>>& samples,
                                 const std::vector<double>& weights) {
  const auto plan = backend.plan<Real>(given.problem, options);
  SetResults<Real> all{std::vector<std::complex<Real>>(samples.size()),
                       std::vector<std::complex<Real>>(images.size()),
                       std::vector<std::complex<Real>>(images.size())};
  const std::int64_t batch = given.problem.batch, length = batch * given.problem.pixels();
  for (std::int64_t s = 0; s < given.sets(); ++s) {
    const std::int64_t first = given.offsets[std::size_t(s)], count = given.view().count(s);
    plan->setPoints(given.pointsOf(s));
    plan->setWeights(std::span(weights).subspan(std::size_t(first), std::size_t(count)));
    plan->forward(images.data() + s * length, all.samples.data() + batch * first);
    plan->adjoint(samples.data() + batch * first, all.images.data() + s * length);
    plan->normal(images.data() + s * length, all.normals.data() + s * length);
  }
  return all;
}

// The error of each set's first image against exact sums.
template <class Real>
SetErrors errorsOfSets(const SetCase& given, const SetResults<Real>& all,
                       const std::vector<std::complex<Real>>& images,
                       const std::vector<std::complex<Real>>& samples) {
  using Complex = std::complex<Real>;
  NufftProblem one = given.problem;
  one.batch = 1;
  const auto pixels = std::size_t(one.pixels());
  SetErrors worst;
  for (std::int64_t s = 0; s < given.sets(); ++s) {
    const auto points = given.pointsOf(s);
    const auto count = std::size_t(given.view().count(s)),
               first = std::size_t(given.problem.batch * given.offsets[std::size_t(s)]),
               image = std::size_t(s * given.problem.batch) * pixels;
    const auto u = std::span(images).subspan(image, pixels);
    const auto c = std::span(samples).subspan(first, count);
    const std::vector<cdouble> in(u.begin(), u.end()), data(c.begin(), c.end());
    worst.forward = std::max(
        worst.forward, contractErrorOf<Complex>(std::span(all.samples).subspan(first, count),
                                                nudftForward(one, points, in), std::span<const Complex>(u)));
    worst.adjoint =
        std::max(worst.adjoint,
                 contractErrorOf<Complex>(std::span(all.images).subspan(image, pixels),
                                          nudftAdjoint(one, points, data), std::span<const Complex>(c)));
  }
  return worst;
}

// The text of the Error from setting these sets; empty without one.
template <class Real>
std::string refusalOf(Nufft<Real>& plan, const PlanPoints& given) {
  try {
    plan.setPoints(given);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

}  // namespace spokelab::test
