// Kernel values of a block's points, evaluated once and shared by its warps (double precision: an
// evaluation costs as much as a matrix product).
//
// Points are taken 32 at a time, one a lane; the warps share the evaluations of a point. The table
// holds the last two such groups, so a product may take its points from both. A point has x[Column] (the column's
// cells, zero outside the kernel), y[Column], z[W] in 3-D. The values of all points for one cell lie together, so that
// a warp writes them to different banks; from one cell to the next it is four doubles further than the points need, so
// that half a warp that reads four cells of four points finds these in different banks, too.
#pragma once

#include "cuda/nufft/tensor/tensor_device.cuh"

namespace spokelab::gpu {

inline constexpr int tableGroup = 32, tablePoints = 2 * tableGroup;
inline constexpr int tableStride = tablePoints + 4;

// Coils: whose samples it holds.
template <int Column, int Slabs, int Coils>
struct TableMemory {
  double value[(2 * Column + (Slabs > 1 ? Slabs : 0)) * tableStride];
  double2 sample[Coils > 0 ? Coils : 1][tablePoints];
  std::uint32_t index[tablePoints];
};

// The kernel values of a point, i cells from the column's first in x and y, from the kernel's first in z.
template <int Column>
struct TableValues {
  const double* first;
  __device__ __forceinline__ double x(int i) const { return first[i * tableStride]; }
  __device__ __forceinline__ double y(int i) const { return first[(Column + i) * tableStride]; }
  __device__ __forceinline__ double z(int i) const { return first[(2 * Column + i) * tableStride]; }
};

template <int W, int Column, int Slabs, int Warps, int Terms, int Coils>
class PointTable {
  using Point = TensorPoint<double, (Slabs > 1 ? 3 : 2)>;

 public:
  // samples: of the first coil; those of the next lie `count` further.
  __device__ __forceinline__ PointTable(TableMemory<Column, Slabs, Coils>& memory,
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
    // Values that were never written are multiplied by a sample of zero: they must be finite.
    for (int i = threadIdx.x; i < int(sizeof(memory_.value) / sizeof(double)); i += 32 * Warps)
      memory_.value[i] = 0;
    if constexpr (Slabs == 1) __syncthreads();
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
      // The half that is written now is that of the group before last. In 2-D a warp that has written the last one reads it
      // no more; in 3-D a product may begin in it.
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

  // Cells first, first + Every, ... of a dimension whose kernel sits at v (the middle cell of the column). Unrolled:
  // evaluations one after the other would wait for each multiply-add.
  template <int Every>
  __device__ __forceinline__ void column(double* to, double v, int first) const {
    constexpr int half = Column / 2;
    const double from = v + (first - half) * phi_.step;
    // Of two cells half a column apart such a kernel touches at most one.
    if constexpr (W <= half) {
#pragma unroll
      for (int j = 0; j < (half + Every - 1) / Every; ++j) {
        const int i = first + j * Every;
        if (half % Every != 0 && i >= half) break;
        const FoldedCell<double> cell(from + j * Every * phi_.step, half * phi_.step);
        const double k = phi_(cell.v);
        to[i * tableStride] = cell.upper ? 0.0 : k;
        to[(i + half) * tableStride] = cell.upper ? k : 0.0;
      }
    } else {
#pragma unroll
      for (int j = 0; j < (Column + Every - 1) / Every; ++j) {
        const int i = first + j * Every;
        if (Column % Every != 0 && i >= Column) break;
        to[i * tableStride] = phi_(from + j * Every * phi_.step);
      }
    }
  }

  __device__ __forceinline__ void write() {
    const int at = (ready_ + lane_) & (tablePoints - 1);
    double* values = memory_.value + at;
    // The first half of the warps takes x, the other one y.
    constexpr int every = Warps / 2;
    const bool isX = warp_ < every;
    column<every>(values + (isX ? 0 : Column * tableStride), isX ? next_.x : next_.y, warp_ % every);
    if constexpr (Slabs > 1) {
#pragma unroll
      for (int j = 0; j < (W + Warps - 1) / Warps; ++j) {
        const int i = warp_ + j * Warps;
        const double k = phi_(next_.z + i * phi_.step);
        if (i < W) values[(2 * Column + i) * tableStride] = k;
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

  TableMemory<Column, Slabs, Coils>& memory_;
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
