// The points of a plan: one set, or several sets (frames of a moving heart) that are set in one
// call and transformed together, since one set is too small to fill a GPU, or a CPU's threads.
//
//   images [set, batch, z, y, x];  samples set after set, each [batch, its points]
//
// so that the part of a set is what a plan of that set alone takes and gives. Sets may differ in
// their number of points, and have none.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>

#include "engine/core/array.h"
#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

struct PlanPoints {
  std::span<const double> coordinates;  // [point, dims] interleaved
  // Set s has the points offsets[s] ... offsets[s + 1] - 1. Empty: one set. Plans without
  // NufftProblem::sets take only this.
  std::span<const std::int64_t> offsets;
  // The plan's points are coordinates[j, d] / divisors[d], in cycles per pixel.
  std::array<double, 3> divisors{1, 1, 1};
  // Only for plans on a device (PlanInfo::onDevice): the coordinates are device memory.
  bool onDevice = false;
  const double* placed = nullptr;  // a copy of host coordinates in the plan's memory, or null
  void* stream = nullptr;          // the caller's cudaStream_t, or null for the plan's own

  PlanPoints() = default;
  template <std::convertible_to<std::span<const double>> Points>
  PlanPoints(const Points& points, std::span<const std::int64_t> ofSets = {})
      : coordinates(points), offsets(ofSets) {}

  std::int64_t sets() const { return offsets.empty() ? 1 : std::int64_t(offsets.size()) - 1; }
  std::int64_t count(std::int64_t set) const {
    return offsets[std::size_t(set) + 1] - offsets[std::size_t(set)];
  }
  bool scaled() const { return divisors != std::array<double, 3>{1, 1, 1}; }
};

inline PlanPoints devicePoints(std::span<const double> coordinates, void* stream = nullptr) {
  PlanPoints points(coordinates);
  points.onDevice = true;
  points.stream = stream;
  return points;
}

// Throws Error where the points do not suit a plan of `problem`: coordinates that do not make
// points, or offsets that do not begin with 0, fall, do not end with the number of points, or whose
// number differs from the plan's sets.
void requireShape(const PlanPoints& points, const NufftProblem& problem);
// Throws Error where a coordinate in host memory is not finite: the first such set and point are
// named.
void requireFinitePoints(const PlanPoints& points, int dims, int threads);

// Throws Error where there are weights, and not one for each of the `count` things ("point",
// "sample").
void requireWeights(std::size_t weights, std::int64_t count, const char* thing = "point");

// points[j, d] / divisors[d].
Buffer<double> dividedPoints(std::span<const double> points, int dims, const std::array<double, 3>& divisors,
                             int threads);

// Points as plans of the host take them: in its memory, in cycles per pixel. Throws Error for
// points in the memory of a device and as requireShape().
class HostPoints {
 public:
  HostPoints(const PlanPoints& points, const NufftProblem& problem, int threads);
  std::span<const double> coordinates() const { return divided_.empty() ? given_ : divided_; }

 private:
  std::span<const double> given_;
  Buffer<double> divided_;
};

// The options of a plan for several sets: its normal operator is gridded, or gridded later. Throws
// Error for fewer than one set and for a Toeplitz operator.
NufftOptions optionsForSets(std::int64_t sets, const NufftOptions& options);
// The same, where the problem has sets.
inline NufftOptions optionsForSets(const NufftProblem& problem, const NufftOptions& options) {
  return problem.sets == 0 ? options : optionsForSets(problem.sets, options);
}

}  // namespace spokelab
