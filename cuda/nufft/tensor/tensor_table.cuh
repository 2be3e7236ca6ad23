// Kernel values of a block's points, evaluated once and shared by its warps (double precision: an
// evaluation costs a good part of a matrix product).
//
// Points are taken 32 at a time, one a lane; the warps share the evaluations of a point. The table
// holds the last two such groups, so a product may take its points from both. A point has x[Column]
// (the column's cells, zero outside the kernel), y[Column], z[W] in 3-D. The values of all points
// for one cell are adjacent. Each cell has room for four more doubles than there are points, so
// that half a warp that reads four cells of four points finds them in different banks.
#pragma once

#include <algorithm>

#include "cuda/device/whole_numbers.cuh"
#include "cuda/nufft/tensor/tensor_device.cuh"
#include "cuda/nufft/tensor/tensor_launch.h"

namespace spokelab::gpu {

inline constexpr int tableGroup = 32, tablePoints = 2 * tableGroup;
inline constexpr int tableStride = tablePoints + 4;

// TensorLayout::coefficient, in the kernel's parameters: the constant bank feeds the multiply-adds
// directly.
template <int W>
struct CellPairs {
  static constexpr int pairs = (W + 1) / 2, terms = tensorTerms<double>(W, false);
  double coefficient[pairs][terms];  // lowest power of x first
  double edge;                       // where the kernel ends: x of its outermost right cell

  // The kernel at cells p and W - 1 - p, of a point that sits at x from the middle of its W cells.
  // xx: x^2.
  __device__ __forceinline__ void operator()(int p, double x, double xx, double& left, double& right) const {
    constexpr int topEven = (terms - 1) & ~1, topOdd = (terms & ~1) - 1;
    double even = coefficient[p][topEven], odd = coefficient[p][topOdd];
#pragma unroll
    for (int m = topEven - 2; m >= 0; m -= 2) even = fma(even, xx, coefficient[p][m]);
#pragma unroll
    for (int m = topOdd - 2; m >= 0; m -= 2) odd = fma(odd, xx, coefficient[p][m]);
    left = fma(-x, odd, even);
    right = fma(x, odd, even);
    if (p == 0) {
      left = x >= -edge ? left : 0;
      right = x <= edge ? right : 0;
    }
  }
};

template <int W>
CellPairs<W> cellPairs(const TensorLayout<double>& layout) {
  CellPairs<W> s;
  std::copy(layout.coefficient.begin(), layout.coefficient.end(), &s.coefficient[0][0]);
  s.edge = (layout.width - W + 1) / 2;
  return s;
}

// The table in shared memory. Coils: the number of coils whose samples it holds, 0: none.
template <int Column, int Slabs, int Coils>
struct TableMemory {
  double value[(2 * Column + (Slabs > 1 ? Slabs : 0)) * tableStride];
  double2 sample[Coils > 0 ? Coils : 1][tablePoints];
  std::uint32_t index[tablePoints];
};

// The kernel values of a point, i cells from the column's first in x and y, from the kernel's first
// in z.
template <int Column>
struct TableValues {
  const double* first;
  __device__ __forceinline__ double x(int i) const { return first[i * tableStride]; }
  __device__ __forceinline__ double y(int i) const { return first[(Column + i) * tableStride]; }
  __device__ __forceinline__ double z(int i) const { return first[(2 * Column + i) * tableStride]; }
};

template <int W, int Column, int Slabs, int Warps, int Coils>
class PointTable {
  using Point = TensorPoint<double, (Slabs > 1 ? 3 : 2)>;

 public:
  // samples: the first coil's; the samples of the next coil are `count` further.
  __device__ __forceinline__ PointTable(TableMemory<Column, Slabs, Coils>& memory, const CellPairs<W>& phi,
                                        const double* points, const std::uint32_t* order,
                                        const double2* samples, std::int64_t count)
      : memory_(memory),
        phi_(phi),
        points_(reinterpret_cast<const Point*>(points)),
        order_(order),
        samples_(samples),
        lane_(threadIdx.x & 31),
        warp_(threadIdx.x >> 5) {
    if constexpr (Coils > 1) samples_ += warp_ * count;
    // Values that were never written are multiplied by a sample of zero: they must be finite.
    for (int i = threadIdx.x; i < int(sizeof(memory_.value) / sizeof(double)); i += 32 * Warps)
      memory_.value[i] = 0;
    if constexpr (Slabs == 1) __syncthreads();
  }

  // Begins a task, whose points begin at `begin` in sorted order.
  __device__ __forceinline__ void start(int begin) {
    begin_ = begin;
    ready_ = 0;
    next_ = points_[begin + lane_];
    if constexpr (Coils > 0) {
      if (warp_ < Coils) {
        nextSample_ = samples_[order_[begin + lane_]];
        nextOrder_ = order_[begin + tableGroup + lane_];
      }
    } else if constexpr (Slabs == 1) {
      nextOrder_ = order_[begin + lane_];
    }
  }

  // Fills in the points before `end`. All threads of the block take part.
  __device__ __forceinline__ void need(int end) {
    while (ready_ < end - begin_) {
      // The half written now belonged to the group before last. In 2-D a warp that has written the
      // last group does not read it again; in 3-D a product may begin in it.
      if constexpr (Slabs > 1) __syncthreads();
      write();
      __syncthreads();
      ready_ += tableGroup;
      next_ = points_[begin_ + ready_ + lane_];
      if constexpr (Coils > 0) {
        if (warp_ < Coils) {
          nextSample_ = samples_[nextOrder_];
          nextOrder_ = order_[begin_ + ready_ + tableGroup + lane_];
        }
      } else if constexpr (Slabs == 1) {
        nextOrder_ = order_[begin_ + ready_ + lane_];
      }
    }
  }
  __device__ __forceinline__ TableValues<Column> values(int k) const { return {memory_.value + slot(k)}; }
  __device__ __forceinline__ double2 sample(int coil, int k) const { return memory_.sample[coil][slot(k)]; }
  __device__ __forceinline__ std::uint32_t index(int k) const { return memory_.index[slot(k)]; }

 private:
  __device__ __forceinline__ int slot(int k) const { return (k - begin_) & (tablePoints - 1); }

  // Calls put(j, value) for the cells j of a point at x from the middle of its W cells. The cells
  // are divided into Every shares, and this call does one of them. The loops are unrolled over
  // known pairs of cells, so that coefficients are operands of the multiply-adds.
  template <int Every, class Put>
  __device__ __forceinline__ void evaluate(double x, int share, Put&& put) const {
    const double xx = x * x;
#pragma unroll
    for (int q = 0; q < Every; ++q)
      if (share == q) {
#pragma unroll
        for (int p = q; p < CellPairs<W>::pairs; p += Every) {
          double left, right;
          phi_(p, x, xx, left, right);
          put(p, left);
          if (p != W - 1 - p) put(W - 1 - p, right);
        }
      }
  }

  // Writes the values along one dimension, whose kernel begins `from` cells after the column's
  // first cell (TensorPoint).
  template <int Every>
  __device__ __forceinline__ void column(double* to, double from, int share) const {
    const double rounded = __dadd_ru(from, wholeShift);  // a whole number, shifted
    const int first = max(0, __double2loint(rounded));
    evaluate<Every>((rounded - wholeShift) - from - 0.5, share,
                    [&](int j, double value) { to[(first + j) * tableStride] = value; });
    // The other cells.
#pragma unroll
    for (int j = W; j < Column; ++j)
      if (Every == 1 || j % Every == share)
        to[(first + j >= Column ? first + j - Column : first + j) * tableStride] = 0;
  }

  __device__ __forceinline__ void write() {
    const int at = (ready_ + lane_) & (tablePoints - 1);
    double* values = memory_.value + at;
    // The first half of the warps takes x, the other one y.
    constexpr int every = Warps / 2;
    const bool isX = warp_ < every;
    column<every>(values + (isX ? 0 : Column * tableStride), isX ? next_.x : next_.y, warp_ % every);
    if constexpr (Slabs > 1)
      evaluate<Warps>(next_.z, warp_,
                      [&](int j, double value) { values[(2 * Column + j) * tableStride] = value; });
    if constexpr (Coils > 0) {
      if (warp_ < Coils) memory_.sample[warp_][at] = nextSample_;
    } else if (warp_ == 0) {
      if constexpr (Slabs > 1)
        memory_.index[at] = static_cast<std::uint32_t>(__double_as_longlong(next_.index));
      else
        memory_.index[at] = nextOrder_;
    }
  }

  TableMemory<Column, Slabs, Coils>& memory_;
  const CellPairs<W>& phi_;
  const Point* points_;
  const std::uint32_t* order_;
  const double2* samples_;
  int lane_, warp_, begin_ = 0, ready_ = 0;
  Point next_;
  double2 nextSample_;
  std::uint32_t nextOrder_ = 0;
};

}  // namespace spokelab::gpu
