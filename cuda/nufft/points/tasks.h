// Cuts bins into tasks of at most M_sub points, so that thread blocks get even work however the
// points cluster. Sources: [cufinufft] III.A, step 1 of SM; gpuNUFFT's virtual sectors ([gnufftw]
// IV.B.2) are the same.
#pragma once

#include "cuda/device/buffer.h"
#include "cuda/nufft/method.h"
#include "cuda/nufft/points/exclusive_sum.h"

namespace spokelab::gpu {

template <class Real>
struct OrderedPoints;

// The options' points a task at most, or [cufinufft]'s M_sub.
template <class Real>
int maxTaskPoints(const MethodSetup<Real>& setup) {
  constexpr int defaultPoints = 1024;
  return setup.maxSubproblem > 0 ? setup.maxSubproblem : defaultPoints;
}

struct Task {
  std::uint32_t bin, begin, end;  // points [begin, end) of the sorted order
};

// Tasks [*begin, *end) of a pass; limit: how many there can be.
struct TaskRange {
  const Task* tasks;
  const std::uint32_t *begin, *end;
  unsigned limit;
};

class TaskList {
 public:
  // Built on the device without synchronising: launch limit() blocks and let blocks past *count()
  // end at once. binStart (device): [bins + 1], a bin's first point. maxPoints: of a task. Bins of
  // at most `skipUpToPoints` points make no tasks.
  void build(const std::uint32_t* binStart, std::int64_t bins, std::int64_t points, int maxPoints,
             cudaStream_t stream, std::int64_t skipUpToPoints = 0);
  // The tasks of `count` bins from `first` on, which hold `points` points. Launch `limit` blocks.
  TaskRange range(std::int64_t first, std::int64_t count, std::int64_t points) const;
  // The tasks of the sets of a pass.
  template <class Real>
  TaskRange range(const OrderedPoints<Real>& points, const SetRange& sets) const {
    return range(sets.first * points.binCount(), sets.count * points.binCount(), sets.points());
  }
  const Task* tasks() const { return tasks_.data(); }
  // [bins + 1]: a bin's first task.
  const std::uint32_t* first() const { return first_.data(); }
  const std::uint32_t* count() const { return first_.data() + bins_; }
  unsigned limit() const { return unsigned(limit_); }
  std::int64_t memory() const { return tasks_.bytes() + first_.bytes() + counts_.bytes() + sums_.memory(); }
  static std::int64_t estimate(std::int64_t bins, std::int64_t points, int maxPoints,
                               std::int64_t skipUpToPoints = 0);

 private:
  static std::int64_t limitFor(std::int64_t bins, std::int64_t points, int maxPoints,
                               std::int64_t skipUpToPoints);
  DeviceBuffer<Task> tasks_;
  // Tasks of a bin, and tasks before it; [bins + 1].
  DeviceBuffer<std::uint32_t> counts_, first_;
  ExclusiveSum sums_;
  std::int64_t bins_ = 0, limit_ = 0, skipUpToPoints_ = 0;
  int maxPoints_ = 1;
};

}  // namespace spokelab::gpu
