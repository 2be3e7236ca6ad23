// Device pieces that the tensor kernels share: the kernel polynomial, the point pipeline, matrix
// instructions.
#pragma once

#include <cstdint>
#include <type_traits>

#include <cuda_fp16.h>

#include "cuda/device/instructions.cuh"
#include "cuda/nufft/tensor/tensor.h"

namespace spokelab::gpu {

// In float, coefficients are kernel parameters: the constant bank feeds the multiply-adds directly.
// In double, each pair of cells has one polynomial (tensor_table.cuh).
template <int Terms>
struct KernelSeries {
  float coefficient[Terms];  // highest power of q first
  float step;                // 2 / W

  __device__ __forceinline__ float operator()(float v) const {
    const float q = fma(-v, v, 1.f);
    float r = coefficient[0];
#pragma unroll
    for (int i = 1; i < Terms; ++i) r = fma(r, q, coefficient[i]);
    return q >= 0.f ? r : 0.f;
  }
};

template <int Terms>
KernelSeries<Terms> kernelSeries(const TensorLayout<float>& layout) {
  KernelSeries<Terms> s;
  for (int i = 0; i < Terms; ++i) s.coefficient[i] = layout.coefficient[std::size_t(i)];
  s.step = layout.step;
  return s;
}

// Points (and samples, of some coils) of one task, staged by cp.async in a ring of groups of 32,
// half of it in flight; the order array is read one group further ahead, because the samples are
// gathered through it. After need(end) the last Size / 2 - 32 points before `end` can be read.
template <class Real, int Dims, class Sample, int Coils = 1, int Size = 128>
struct PointRing {
  TensorPoint<Real, Dims> point[Size];
  Sample sample[Coils][Size];
};
struct NoSample {};
template <class Real, int Dims, int Size>
struct PointRing<Real, Dims, NoSample, 1, Size> {
  TensorPoint<Real, Dims> point[Size];
};

// samples: the first coil's; the samples of the next coil are `count` further.
template <class Real, int Dims, class Sample, int Coils = 1, int Size = 128>
class PointFeed {
  using Ring = PointRing<Real, Dims, Sample, Coils, Size>;
  using Point = TensorPoint<Real, Dims>;
  static constexpr bool withSamples = !std::is_same_v<Sample, NoSample>;
  static constexpr int flying = Size / 64;  // groups, beyond those that have arrived

 public:
  __device__ __forceinline__ PointFeed(Ring* ring, const Real* points, const std::uint32_t* order,
                                       const Sample* samples, std::int64_t count, int begin, int lane)
      : ring_(ring),
        points_(reinterpret_cast<const Point*>(points)),
        order_(order),
        samples_(samples),
        count_(count),
        begin_(begin),
        lane_(lane) {
    std::uint32_t numbers[flying + 1] = {};
    if constexpr (withSamples)
#pragma unroll
      for (int i = 0; i <= flying; ++i) numbers[i] = order_[begin + 32 * i + lane];
#pragma unroll
    for (int i = 0; i < flying; ++i) issue(numbers[i]);
    nextOrder_ = numbers[flying];
  }

  // Waits until the points before `end` (absolute) have arrived.
  __device__ __forceinline__ void need(int end) {
    while (ready_ < end - begin_) {
      __syncwarp();
      issue(nextOrder_);
      if constexpr (withSamples) nextOrder_ = order_[begin_ + issued_ + lane_];
      waitForGroups<flying>();
      __syncwarp();
      ready_ += 32;
    }
  }
  __device__ __forceinline__ const Point& point(int k) const {
    return ring_->point[slot(k)];
  }
  __device__ __forceinline__ const Sample& sample(int k, int coil = 0) const {
    return ring_->sample[coil][slot(k)];
  }

 private:
  __device__ __forceinline__ int slot(int k) const {
    return (k - begin_) & (Size - 1);
  }
  __device__ __forceinline__ void issue(std::uint32_t number) {
    const int i = (issued_ + lane_) & (Size - 1);
    char* to = reinterpret_cast<char*>(&ring_->point[i]);
    const char* from = reinterpret_cast<const char*>(points_ + begin_ + issued_ + lane_);
    if constexpr (sizeof(Point) < 16)
      copyToShared<sizeof(Point)>(to, from);
    else
#pragma unroll
      for (int b = 0; b < int(sizeof(Point)); b += 16) copyToShared<16, true>(to + b, from + b);
    if constexpr (withSamples)
#pragma unroll
      for (int c = 0; c < Coils; ++c)
        copyToShared<sizeof(Sample)>(&ring_->sample[c][i], samples_ + c * count_ + number);
    commitCopies();
    issued_ += 32;
  }

  Ring* ring_;
  const Point* points_;
  const std::uint32_t* order_;
  const Sample* samples_;
  std::int64_t count_;
  int begin_, lane_, issued_ = 0, ready_ = 0;
  std::uint32_t nextOrder_ = 0;
};

__device__ __forceinline__ int wrapped(int i, int n) {
  return i >= n ? i - n : i;
}

// slab[s] = slab[s + U]: the unrolled loop marches U slabs under rotating names, then the registers
// move back to the first names. (Rotating all names would repeat the loop body ceil(W) times, more
// code than the instruction cache holds.)
template <int U, int Slabs, class Slab>
__device__ __forceinline__ void rotateSlabs(Slab (&slab)[Slabs]) {
  if constexpr (U < Slabs) {
    Slab moved[Slabs];
#pragma unroll
    for (int s = 0; s < Slabs; ++s)
#pragma unroll
      for (std::size_t j = 0; j < std::extent_v<Slab>; ++j)
#pragma unroll
        for (std::size_t i = 0; i < std::extent_v<Slab, 1>; ++i) moved[s][j][i] = slab[(s + U) % Slabs][j][i];
#pragma unroll
    for (int s = 0; s < Slabs; ++s)
#pragma unroll
      for (std::size_t j = 0; j < std::extent_v<Slab>; ++j)
#pragma unroll
        for (std::size_t i = 0; i < std::extent_v<Slab, 1>; ++i) slab[s][j][i] = moved[s][j][i];
  }
}

__device__ __forceinline__ std::uint32_t packHalf(float a, float b) {
  const __half2 h = __floats2half2_rn(a, b);
  return *reinterpret_cast<const std::uint32_t*>(&h);
}
// Two floats as fp16 heads and tails: head + tail carries 22 bits, so that head x head + head x
// tail + tail x head of two such pairs is as good as a float product.
struct SplitHalf {
  std::uint32_t head, tail;
};
__device__ __forceinline__ SplitHalf splitHalf(float a, float b) {
  const __half2 head = __floats2half2_rn(a, b);
  const float2 back = __half22float2(head);
  return {*reinterpret_cast<const std::uint32_t*>(&head), packHalf(a - back.x, b - back.y)};
}
// Mask of a pair: all bits of the lower half where `first`, of the upper half where `second`.
__device__ __forceinline__ std::uint32_t pairMask(bool first, bool second) {
  return (first ? 0xffffu : 0u) | (second ? 0xffff0000u : 0u);
}
__device__ __forceinline__ std::uint32_t multiplyHalf(std::uint32_t a, std::uint32_t b) {
  const __half2 h = __hmul2(*reinterpret_cast<const __half2*>(&a), *reinterpret_cast<const __half2*>(&b));
  return *reinterpret_cast<const std::uint32_t*>(&h);
}

// The cell that a kernel reaches, of two cells 8 apart (kernels of at most 8 cells) or 16 apart (at
// most 16 cells). v: the cell's place; upper: true for the second of the two.
struct FoldedCell {
  float v;
  bool upper;
  __device__ __forceinline__ FoldedCell(float lower, float apart) : v(lower), upper(lower < -1.f) {
    if (upper) v += apart;
  }
};

// The cell that a kernel of at most 4 cells reaches, of four cells 4 apart. upper: true for the
// upper two; second: true for the second of these two (or of the lower two).
struct TwiceFoldedCell {
  float v;
  bool upper, second;
  __device__ __forceinline__ TwiceFoldedCell(float lowest, float fourCells)
      : v(lowest), upper(lowest + fourCells < -1.f) {
    if (upper) v += 2 * fourCells;
    second = v < -1.f;
    if (second) v += fourCells;
  }
};

// Kernel values that are split are scaled by this power of two: their tails stay normal numbers of
// fp16.
inline constexpr float splitScale = 256;

// Scales fp16 operands so that the largest magnitude is close to 2^14; zero data need no scale. The
// scale is a power of two, so the rounding of a value does not depend on the rest of its batch.
__device__ __forceinline__ float halfScale(const float* largest) {
  constexpr float scaledExponent = 14,
                  maxScaleExponent = 110;  // the scale and its inverse stay normal numbers
  const float m = *largest;
  return m > 0.f ? exp2f(fminf(floorf(scaledExponent - log2f(m)), maxScaleExponent)) : 1.f;
}

// The same for a grid that an FFT has filled: its root mean square is known from the energy sum
// |f|^2 of what went in (Parseval), and no cell of `cells` can be more than sqrt(cells) times that.
// The rms becomes 4, or less on grids so large that a single peak would leave fp16. A power of two,
// so that the order of the energy's sum shows nowhere.
__device__ __forceinline__ float energyScale(const double* energy, double cells) {
  // The scale and its inverse stay normal numbers.
  constexpr double scaledRms = 4, maxHalf = 65504, maxScaleExponent = 110;
  const double rms = sqrt(*energy);
  if (!(rms > 0)) return 1.f;
  return exp2f(float(fmin(floor(log2(fmin(scaledRms, maxHalf / sqrt(cells)) / rms)), maxScaleExponent)));
}

}  // namespace spokelab::gpu
