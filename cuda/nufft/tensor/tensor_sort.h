// The points of a plan in the order of the tensor methods: by (column, first z cell, class), and
// the columns cut into tasks.
#pragma once

#include "cuda/device/buffer.h"
#include "cuda/nufft/points/bin_sort.h"
#include "cuda/nufft/tensor/tensor_layout.h"
#include "cuda/nufft/tensor/tensor_tasks.h"

namespace spokelab::gpu {

// Records after the last point that the pipeline may read.
inline constexpr int tensorPadding = sortPadding;

// One sorted point: where its kernel sits. Float: in units of half widths (v = 2u/W, support |v| <=
// 1). Double: in grid cells, of the ceil(W) cells whose middle is nearest to the point.
template <class Real, int Dims>
struct alignas(4 * sizeof(Real)) TensorPoint {
  // Float: v at the column's cell 8; cell i has v = x + (i - 8) * step. Double: the begin of the
  // interval of touched cells, counted from the column's first cell; the first touched cell is the
  // next whole number.
  Real x, y;
  // Float: v at the first touched z cell, in [-1, -1 + step). Double: from the point to those
  // cells' middle, in [-1/2, 1/2).
  Real z;
  // The bits of `index` hold the point's position in the caller's order (uint32).
  Real index;
};
// 2-D has no z, and leaves the position to `order`: records of half the size.
template <class Real>
struct alignas(2 * sizeof(Real)) TensorPoint<Real, 2> {
  Real x, y;
};

// The points of one plan in column order, as the kernels see them (a view of TensorOrder).
template <class Real>
struct TensorPoints {
  std::int64_t count = 0;
  const Real* points = nullptr;  // TensorPoint<Real, dims> [count + tensorPadding]
  // The caller's index of each sorted point, [count + tensorPadding].
  const std::uint32_t* order = nullptr;
  const std::uint32_t* offsets = nullptr;  // [sortKeys + 1]
  const TensorTask* tasks = nullptr;       // [taskLimit]
  const int* taskCount = nullptr;          // on the device: no synchronisation
  int taskLimit = 0;
};

// Sorts points by (column, first z cell, class) and cuts the columns into tasks, on the device and
// without synchronising; memory grows only. Both directions of a plan share one.
template <class Real>
class TensorOrder : public OwnOrder {
 public:
  // Does nothing where the points are the generation that was sorted last.
  void setPoints(const TensorLayout<Real>& layout, const PointSource<Real>& source, cudaStream_t stream);
  TensorPoints<Real> view() const;
  std::int64_t memory() const override {
    return points_.bytes() + order_.bytes() + offsets_.bytes() + tasks_.bytes();
  }
  static std::int64_t estimate(const TensorLayout<Real>& layout, std::int64_t points);
  // Bytes that a transform reads for each point: its record, and its number in the caller's order.
  static std::int64_t pointBytes(int dims);

 private:
  template <int Dims>
  void sort(const TensorLayout<Real>& layout, const PointSource<Real>& source, cudaStream_t stream);
  template <int Dims>
  void sortByCounting(const TensorLayout<Real>& layout, const PointSource<Real>& source, cudaStream_t stream);
  template <int Dims>
  void sortByBuckets(const TensorLayout<Real>& layout, const PointSource<Real>& source, const Loan& room,
                     cudaStream_t stream);
  DeviceBuffer<Real> points_;
  DeviceBuffer<std::uint32_t> order_, offsets_;
  DeviceBuffer<TensorTask> tasks_;
  DeviceBuffer<int> taskCount_;
  std::int64_t count_ = 0, generation_ = -1;
  int taskLimit_ = 0;
};

}  // namespace spokelab::gpu
