#include "engine/nufft/type3/type3_points.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t factorsPerTask = 1 << 12;

// Calls place(coordinates, its places) for each point; it writes the places and returns the factor.
template <class Real, class Place>
PlacedPoints<Real> placed(std::span<const double> at, int dims, int threads, const Place& place) {
  PlacedPoints<Real> made;
  made.places.resize(at.size());
  const auto step = std::size_t(dims);
  made.factor.resize(at.size() / step);
  parallelFor(
      std::int64_t(made.factor.size()), threads, factorsPerTask, [&](std::int64_t begin, std::int64_t end) {
        for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
          made.factor[i] = std::complex<Real>(place(at.data() + i * step, made.places.data() + i * step));
      });
  return made;
}

}  // namespace

std::int64_t countOfPoints(std::span<const double> points, int dims, const char* what) {
  if (points.size() % std::size_t(dims) == 0) return std::int64_t(points.size()) / dims;
  throw Error("Cannot set the points of a transform",
              std::to_string(points.size()) + " coordinates of " + what + " do not make points of " +
                  std::to_string(dims) + " dimensions",
              "Give all coordinates of each point");
}

template <class Real>
PlacedPoints<Real> placeSources(const Type3Problem& problem, const Outer& outer, const Boxes& boxes,
                                std::span<const double> sources, int threads) {
  return placed<Real>(sources, problem.dims, threads, [&](const double* at, double* place) {
    double turns = 0;
    for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) {
      const double x = at[d] - boxes.sources.middle[d];
      place[d] = x / (outer.spacing[d] * double(outer.grid[d]));
      turns += partOfTurns(boxes.targets.middle[d], x);
    }
    return phaseOfTurns(problem.sign * turns);
  });
}

template <class Real>
PlacedPoints<Real> placeTargets(const Type3Problem& problem, const Outer& outer, const Kernel& kernel,
                                const Boxes& boxes, std::span<const double> targets, int threads) {
  return placed<Real>(targets, problem.dims, threads, [&](const double* at, double* place) {
    double turns = 0;
    for (std::size_t d = 0; d < std::size_t(problem.dims); ++d) {
      place[d] = (at[d] - boxes.targets.middle[d]) * outer.spacing[d];
      turns += partOfTurns(at[d], boxes.sources.middle[d]);
    }
    return inverseAt(kernel, outer, boxes.targets, at, problem.dims) * phaseOfTurns(problem.sign * turns);
  });
}

template <class Real>
double amplificationOf(const Kernel& kernel, int dims, const Buffer<std::complex<Real>>& factor) {
  double sum = 0;  // of the squares of 1 / transform
  for (const std::complex<Real>& f : factor) sum += double(std::norm(f));
  return amplification(kernel, dims, sum / double(std::max<std::size_t>(1, factor.size())));
}

template PlacedPoints<float> placeSources(const Type3Problem&, const Outer&, const Boxes&,
                                          std::span<const double>, int);
template PlacedPoints<double> placeSources(const Type3Problem&, const Outer&, const Boxes&,
                                           std::span<const double>, int);
template PlacedPoints<float> placeTargets(const Type3Problem&, const Outer&, const Kernel&, const Boxes&,
                                          std::span<const double>, int);
template PlacedPoints<double> placeTargets(const Type3Problem&, const Outer&, const Kernel&, const Boxes&,
                                           std::span<const double>, int);
template double amplificationOf(const Kernel&, int, const Buffer<cfloat>&);
template double amplificationOf(const Kernel&, int, const Buffer<cdouble>&);

}  // namespace spokelab
