// Several sets of points for one plan (frames of a moving heart), set in one call and transformed
// together: one set is too small to fill a GPU, or the threads of a CPU.
//
//   images [set, batch, z, y, x];  samples set after set, each [batch, its points]
//
// so that the part of a set is what a plan of that set alone takes and gives. Sets may differ in
// their number of points, and have none.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/nufft/nufft.h"

namespace spokelab {

// The points of all sets, [point, dims] interleaved, cycles per pixel; set s has the points
// offsets[s] ... offsets[s + 1] - 1.
struct PointSets {
  std::span<const double> points;
  std::span<const std::int64_t> offsets;

  std::int64_t sets() const { return std::int64_t(offsets.size()) - 1; }
  std::int64_t count(std::int64_t set) const {
    return offsets[std::size_t(set) + 1] - offsets[std::size_t(set)];
  }
};

// Throws Error where there are not `sets` sets, the offsets do not begin with 0, fall, or do not
// end with the number of points, or a coordinate is not finite: the first such set and point are
// named.
void requirePointSets(const PointSets& given, std::int64_t sets, int dims, int threads);

// Optional interface of a plan made for several sets (by dynamic_cast from Nufft<Real>*). Its
// problem() describes one set, points() counts the points of all sets, and setWeights() takes one
// weight for each of them; setPoints() is refused. The normal operator is the gridded one.
class PointSetPlan {
 public:
  virtual ~PointSetPlan() = default;
  virtual std::int64_t sets() const = 0;
  // Throws Error (requirePointSets, memory) and keeps the sets that it has.
  virtual void setPointSets(const PointSets& given, StageTimings* timings = nullptr) = 0;
};

// A backend that makes such plans (by dynamic_cast from NufftBackend*).
class PointSetBackend {
 public:
  virtual ~PointSetBackend() = default;
  // problem: of one set. Methods that are left open are chosen among those that take several sets.
  // Throws Error as NufftBackend::plan does, where a method is asked for that takes one set alone,
  // and for a Toeplitz operator.
  virtual std::unique_ptr<Nufft<float>> pointSetsFloat(const NufftProblem& problem, std::int64_t sets,
                                                       const NufftOptions& options) = 0;
  virtual std::unique_ptr<Nufft<double>> pointSetsDouble(const NufftProblem& problem, std::int64_t sets,
                                                         const NufftOptions& options) = 0;
  // So many sets use the machine well; more only make a call longer. 1: sets gain nothing together.
  virtual std::int64_t setsAtOnce(const NufftOptions& options) const = 0;
  // Bytes of such a plan with `points` points in all.
  virtual std::int64_t estimatePointSets(const NufftProblem& problem, std::int64_t sets,
                                         const NufftOptions& options, std::int64_t points) const = 0;

  template <class Real>
  std::unique_ptr<Nufft<Real>> pointSets(const NufftProblem& problem, std::int64_t sets,
                                         const NufftOptions& options) {
    if constexpr (std::is_same_v<Real, float>)
      return pointSetsFloat(problem, sets, options);
    else
      return pointSetsDouble(problem, sets, options);
  }
};

// The options of a plan for `sets` sets: its normal operator is gridded, or gridded later. Throws
// Error for fewer than one set and for a Toeplitz operator.
NufftOptions optionsForSets(std::int64_t sets, const NufftOptions& options);
// setPoints() of a plan for several sets.
[[noreturn]] void refuseOneSet(std::int64_t sets);

}  // namespace spokelab
