// Kernel values of a block's points, evaluated once and shared by its warps (double precision: an
// evaluation costs as much as a matrix product).
//
// Points are taken 32 at a time, one a lane; the warps share the evaluations of a point. The table
// holds the last two such groups, so a product may take its points from both. A row is x[Column] (the
// column's cells, zero outside the kernel), y[Column], z[W] in 3-D; its length keeps the four points that a
// half warp reads in different banks.
#pragma once

#include "cuda/nufft/tensor/tensor_device.cuh"

namespace spokelab::gpu {

inline constexpr int tableGroup = 32, tablePoints = 2 * tableGroup;
inline constexpr int tableZ = 2 * tensorColumn;
// Up to 16 + 16 + 12 doubles: each point's row begins 44 * 2 words, 24 banks, further than the row before.
// With up to 16 + 16 + 20 it is 52 * 2 words, 8 banks; so it is with 32 + 32.
template <int W, int Column>
inline constexpr int tableRow = Column == wideTensorColumn ? 68
                                : W <= 12                  ? 44
                                                           : 52;

// Coils: whose samples it holds.
template <int W, int Column, int Coils>
struct TableMemory {
  double value[tablePoints * tableRow<W, Column>];
  double2 sample[Coils > 0 ? Coils : 1][tablePoints];
  std::uint32_t index[tablePoints];
};

template <int W, int Column, int Slabs, int Warps, int Terms, int Coils>
class PointTable {
  using Point = TensorPoint<double, (Slabs > 1 ? 3 : 2)>;

 public:
  // samples: of the first coil; those of the next lie `count` further.
  __device__ __forceinline__ PointTable(TableMemory<W, Column, Coils>& memory,
                                        const KernelSeries<double, Terms>& phi, const double* points,
                                        const std::uint32_t* order, const double2* samples,
                                        std::int64_t count)
      : memory_(memory),
        phi_(phi),
        points_(reinterpret_cast<const Point*>(points)),
        order_(order),
        samples_(samples),
        lane_(threadIdx.x & 31),
        warp_(threadIdx.x >> 5) {
    if constexpr (Coils > 1) samples_ += warp_ * count;
    // A row that was never written is multiplied by a sample of zero: it must be finite.
    for (int i = threadIdx.x; i < tablePoints * tableRow<W, Column>; i += 32 * Warps) memory_.value[i] = 0;
  }

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
      __syncthreads();
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
  __device__ __forceinline__ const double* row(int k) const {
    return memory_.value + slot(k) * tableRow<W, Column>;
  }
  __device__ __forceinline__ double2 sample(int coil, int k) const { return memory_.sample[coil][slot(k)]; }
  __device__ __forceinline__ std::uint32_t index(int k) const { return memory_.index[slot(k)]; }

 private:
  __device__ __forceinline__ int slot(int k) const { return (k - begin_) & (tablePoints - 1); }

  // Cells first, first + Every, ... of a dimension whose kernel sits at v (the middle cell of the column). Unrolled:
  // evaluations one after the other would wait for each multiply-add.
  template <int Every>
  __device__ __forceinline__ void column(double* to, double v, int first) const {
    constexpr int half = Column / 2;
    // Of two cells half a column apart such a kernel touches at most one.
    if constexpr (W <= half) {
#pragma unroll
      for (int j = 0; j < half / Every; ++j) {
        const int i = first + j * Every;
        const FoldedCell<double> cell(v + (i - half) * phi_.step, half * phi_.step);
        const double k = phi_(cell.v);
        to[i] = cell.upper ? 0.0 : k;
        to[i + half] = cell.upper ? k : 0.0;
      }
    } else {
#pragma unroll
      for (int j = 0; j < Column / Every; ++j) {
        const int i = first + j * Every;
        to[i] = phi_(v + (i - half) * phi_.step);
      }
    }
  }

  __device__ __forceinline__ void write() {
    const int at = (ready_ + lane_) & (tablePoints - 1);
    double* row = memory_.value + at * tableRow<W, Column>;
    // The first half of the warps takes x, the other one y.
    constexpr int every = Warps / 2;
    const bool isX = warp_ < every;
    column<every>(row + (isX ? 0 : Column), isX ? next_.x : next_.y, warp_ % every);
    if constexpr (Slabs > 1) {
#pragma unroll
      for (int j = 0; j < (W + Warps - 1) / Warps; ++j) {
        const int i = warp_ + j * Warps;
        const double k = phi_(next_.z + i * phi_.step);
        if (i < W) row[tableZ + i] = k;
      }
    }
    if constexpr (Coils > 0) {
      if (warp_ < Coils) memory_.sample[warp_][at] = nextSample_;
    } else if (warp_ == 0) {
      if constexpr (Slabs > 1)
        memory_.index[at] = static_cast<std::uint32_t>(__double_as_longlong(next_.index));
      else
        memory_.index[at] = nextOrder_;
    }
  }

  TableMemory<W, Column, Coils>& memory_;
  const KernelSeries<double, Terms>& phi_;
  const Point* points_;
  const std::uint32_t* order_;
  const double2* samples_;
  int lane_, warp_, begin_ = 0, ready_ = 0;
  Point next_;
  double2 nextSample_;
  std::uint32_t nextOrder_ = 0;
};

}  // namespace spokelab::gpu
