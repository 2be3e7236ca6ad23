// Spreading and interpolation on tensor cores: our fastest method, 2-D and 3-D, float and double.
//
// The grid is cut into columns of 16 x 16 cells in (y, x) that run along z (2-D: tiles without z). A column owns the
// points whose first touched cell lies in its first by x bx cells, so that all their cells are inside. Points are
// sorted by (column, first z cell). One warp (double: two or four) marches a column along z. For a batch of points p
//   spread:       slab_s[y, x] += sum_p (k_y(p, y) k_z(p, s)) (c_p k_x(p, x))     a matrix product over p
//   interpolate:  c_p = sum_s sum_{y, x} k_y(p, y) (k_x(p, x) k_z(p, s)) slab_s[y, x]
// and the ceil(W) slabs that a point touches stay in registers. No atomics in shared memory; clustered points are fast.
//
// The kernel is evaluated as a polynomial in q = 1 - (2u/W)^2 on [0, 1]: Kaiser-Bessel is an entire function of q with
// positive coefficients (and the prolate function one that deviates as little), so one short polynomial holds over the
// whole support, for any real W, and is zero for q < 0.
//
// Precision: float runs on fp16 pairs where the accuracy asked leaves room for their error (operands scaled to the range),
// else on three products of fp16 heads and tails, 22 bits together, added in FP32; double runs on DMMA.
//
// Limits (see tensorSupports): Kaiser-Bessel or prolate; dims 2 or 3; grid at least 16 in x and y; W <= 8 (float), W <= 12 (double).
#pragma once

#include <cstdint>
#include <vector>

#include <cuda_runtime.h>

#include "cuda/device/buffer.h"
#include "cuda/nufft/points/bin_sort.h"
#include "engine/nufft/kernel/kernel.h"

namespace spokelab::gpu {

inline constexpr int tensorColumn = 16;            // cells of a column in x and in y
inline constexpr int tensorPadding = sortPadding;  // records after the last point that the pipeline may read
inline constexpr int tensorMaxTerms = 24;          // polynomial coefficients

// One sorted point: where its kernel sits, in units of half widths (v = 2u/W, support |v| <= 1).
template <class Real, int Dims>
struct alignas(4 * sizeof(Real)) TensorPoint {
  Real x, y;   // v at the column's cell 8; cell i lies at x + (i - 8) * step
  Real z;      // v at the first touched z cell, in [-1, -1 + step)
  Real index;  // bits: position of the point in the caller's order (uint32)
};
// In 2-D half of it would be a z that is not used and a number that the order has as well.
template <class Real>
struct alignas(2 * sizeof(Real)) TensorPoint<Real, 2> {
  Real x, y;
};

struct TensorTask {
  int column;        // cy * columnsX + cx
  int zBegin, zEnd;  // z cells of the task's first and last point, half-open
  int begin, end;    // its points in sorted order
};

// Everything that depends on the problem but not on the points.
template <class Real>
struct TensorLayout {
  int dims = 3;
  int gridX = 0, gridY = 0, gridZ = 1;
  int cells = 0;               // ceil(W)
  int blockX = 0, blockY = 0;  // first cells that a column owns
  int columnsX = 0, columnsY = 0;
  Real step = 0;  // 2 / W
  double width = 0;
  bool half = false;  // float: fp16 pairs instead of heads and tails
  int terms = 0;      // coefficients used, highest power of q first
  Real coefficient[tensorMaxTerms] = {};

  std::int64_t columns() const { return std::int64_t(columnsX) * columnsY; }
  std::int64_t sortKeys() const { return columns() * gridZ; }
};

// The points of one plan in column order, as the kernels see them (a view of TensorOrder).
template <class Real>
struct TensorPoints {
  std::int64_t count = 0;
  const Real* points = nullptr;            // TensorPoint<Real, dims> [count + tensorPadding]
  const std::uint32_t* order = nullptr;    // [count + tensorPadding], the caller's index of each sorted point
  const std::uint32_t* offsets = nullptr;  // [sortKeys + 1]
  const TensorTask* tasks = nullptr;       // [taskLimit]
  const int* taskCount = nullptr;          // on the device: no synchronisation
  int taskLimit = 0;
};

// What fp16 pairs add to the relative l2 error, over what the error model says of float rounding for the same kernel and
// grid (measured in 3-D at alpha 2, 1.5 and 1.25: 1925, 1974, 1931; deapodization at small alpha magnifies both). They
// are used where aliasing leaves room for it.
inline constexpr double halfOverFloat = 2000;

/// Kernels that are entire functions of q.
bool isEntire(KernelType kernel);

template <class Real>
bool tensorSupports(int dims, const Index3& grid, KernelType kernel, double width, std::int64_t points);

// half: use fp16 pairs (float only).
template <class Real>
TensorLayout<Real> tensorLayout(int dims, const Index3& grid, const Kernel& kernel, bool half);

// Sorts points by (column, first z cell) and cuts the columns into tasks, on the device and without synchronising;
// memory grows only. Both directions of a plan share one.
template <class Real>
class TensorOrder {
 public:
  // coordinates: [count, dims] double, cycles per pixel, device memory. Does nothing when `generation` was the last.
  void setPoints(const TensorLayout<Real>& layout, const PointSource<Real>& source, cudaStream_t stream);
  TensorPoints<Real> view() const;
  std::int64_t memory() const { return points_.bytes() + order_.bytes() + offsets_.bytes() + tasks_.bytes(); }
  static std::int64_t estimate(const TensorLayout<Real>& layout, std::int64_t points);

 private:
  template <int Dims>
  void sort(const TensorLayout<Real>& layout, const PointSource<Real>& source, cudaStream_t stream);
  DeviceBuffer<Real> points_;
  DeviceBuffer<std::uint32_t> order_, offsets_;
  DeviceBuffer<TensorTask> tasks_;
  DeviceBuffer<int> taskCount_;
  std::int64_t count_ = 0, generation_ = -1;
  int taskLimit_ = 0;
};

// Adds to `grid` (the caller zeroes it). c: [batch, count], grid: [batch, z, y, x], both complex interleaved.
// largest: device scalar, largest |component| of c over the batch, for fp16 scaling; unused in double.
void tensorSpread(const TensorLayout<float>&, const TensorPoints<float>&, const float2* c, float2* grid,
                  int batch, const float* largest, cudaStream_t stream);
void tensorSpread(const TensorLayout<double>&, const TensorPoints<double>&, const double2* c, double2* grid,
                  int batch, const float* largest, cudaStream_t stream);

// Writes c. energy: device scalar, sum of |.|^2 over what the FFT turned into the grids of the batch, for fp16 scaling
// (energyScale); unused in double.
void tensorInterpolate(const TensorLayout<float>&, const TensorPoints<float>&, const float2* grid, float2* c,
                       int batch, const double* energy, cudaStream_t stream);
void tensorInterpolate(const TensorLayout<double>&, const TensorPoints<double>&, const double2* grid,
                       double2* c, int batch, const double* energy, cudaStream_t stream);

}  // namespace spokelab::gpu
