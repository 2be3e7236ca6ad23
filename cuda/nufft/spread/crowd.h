// Crowded points: points so dense in a few cells that sums in single precision would lose the
// accuracy asked for. The sum of n equal terms, added in turn, errs by about u n / 6, n independent
// terms by u sqrt(n / 2) (the first factor was measured). The plan's method then spreads only the
// other points. The crowded points are summed in double: each task sums into a private tile, then
// the tasks of a block of cells are added, and the sum is rounded once, when it is added to the
// grid.
//
// setPoints looks for crowds. Without a crowd, a transform has no extra work.
#pragma once

#include <memory>

#include "cuda/device/buffer.h"
#include "cuda/device/host_word.h"
#include "cuda/device/stream.h"
#include "cuda/nufft/method.h"
#include "cuda/nufft/points/bin_sort.h"
#include "cuda/nufft/points/tasks.h"

namespace spokelab::gpu {

// Most points in a block of a few cells that a method with this summation may add among `points`
// points in all. One block that holds most of the points must be accurate for equal samples, the
// worst case; many blocks share the error.
template <class Real>
std::int64_t crowdLimit(const MethodSetup<Real>& setup, const Summation& summation, std::int64_t points);

template <class Real>
class Crowd {
 public:
  explicit Crowd(const MethodSetup<Real>& setup);

  // Queues the search where separate sums can be more accurate. Reproducible spreading in single
  // precision needs none: it sums in double or in integers itself. In double, a search is made only
  // if the method adds fewer points together than a task of the crowd. found() waits for the
  // result; work that is queued between the two calls keeps the device busy meanwhile. summation:
  // of the method that spreads these points.
  void look(const PointSource<Real>& points, const Summation& summation, cudaStream_t stream);
  bool found() const;
  // No point crowds, until look() is called again.
  void forget() {
    crowded_ = 0;
    looked_ = false;
  }
  // Sorts the points, to be called where some crowd. Throws Error where that takes more than
  // `available` bytes, or results have to be reproducible: a crowd's sums meet by atomic additions.
  void gather(const PointSource<Real>& points, std::int64_t available, cudaStream_t stream);

  // No point, or every point, is one of the crowd.
  bool none() const { return crowded_ == 0; }
  bool all() const { return crowded_ > 0 && crowded_ == points_.count; }
  // A copy of the samples of a call with zeros for the crowd's, valid until the next call.
  const Complex<Real>* others(const Complex<Real>* samples, std::int64_t batch, const SetRange& range,
                              cudaStream_t stream);
  // Adds the crowd's samples (call.in holds all) to the grids.
  void spread(const MethodCall<Real>& call);

  std::int64_t memory() const;

 private:
  template <int Dims>
  void launch(const MethodCall<Real>& call);

  MethodSetup<Real> setup_;
  std::array<int, 3> bins_, padded_;
  std::int64_t limit_ = 0, crowded_ = 0;
  bool looked_ = false;
  std::unique_ptr<HostWord> found_;
  Event searched_{false};
  OrderedPoints<Real> points_;
  TaskList tasks_;
  // Blocks of more than one task: the number of its sum for each first task, and the block of each
  // sum.
  DeviceBuffer<std::uint32_t> sumOfTask_, binOfSum_, totals_;
  std::int64_t sumCount_ = 0;
  DeviceBuffer<double2> sums_;  // [batch, sums, padded block]
  DeviceBuffer<Complex<Real>> others_;
};

}  // namespace spokelab::gpu
