// The kernel of lines in a block's shared memory (block_line.h), which two files compile for their
// precision.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "cuda/device/launch.cuh"
#include "cuda/nufft/fft/block_line.h"
#include "cuda/nufft/fft/line_fft.cuh"
#include "cuda/nufft/fft/line_pass.cuh"

namespace spokelab::gpu {

// Upper bound: with more, a block of 512 threads cannot hold the values in registers.
template <class Real>
constexpr int maxRadix = sizeof(Real) == sizeof(float) ? 16 : 10;
constexpr bool isRadix(int r) {
  return r >= 2 && (r <= 10 || r == 12 || r == 16);
}
inline constexpr int maxBlockLineThreads = 512;

// n / divisor, for n * divisor < 2^32. per: ceil(2^32 / divisor), or 0 for a divisor of 1.
__device__ __forceinline__ int divided(int n, std::uint32_t per) {
  return per > 0 ? int(__umulhi(std::uint32_t(n), per)) : n;
}

// The index of a line's element p in shared memory. Strides of powers of two would hit few banks.
template <class C>
__device__ __forceinline__ int banked(int p) {
  constexpr int bits = sizeof(C) == sizeof(float2) ? 4 : 3;  // elements of 128 bytes
  int high = p >> bits;
  high ^= high >> bits;
  high ^= high >> 2 * bits;
  return p ^ (high & ((1 << bits) - 1));
}
// Bytes of shared memory of a line, in whole rows of banks: banked() permutes the elements of a
// row.
template <class Real>
constexpr std::size_t blockLineBytes(int length) {
  constexpr std::size_t row = 128;
  return (std::size_t(length) * sizeof(Complex<Real>) + row - 1) / row * row;
}

// The index of element e of a line between the stages (LineStages).
__device__ __forceinline__ int placeOf(const LineStages& stages, int e) {
  int place = 0;
  for (int s = 0; s < stages.count; ++s) {
    const int rest = divided(e, stages.perRadix[s]);
    place += (e - rest * stages.radix[s]) * stages.span[s];
    e = rest;
  }
  return place;
}

// a[k] times turn[k at], conjugate for Sign +1. Powers of two are read, the others are products of
// those, which spares most loads.
template <int R, int Sign, class C>
__device__ __forceinline__ void twiddled(C (&a)[R], const C* __restrict__ turn, int at) {
  C w[R];
#pragma unroll
  for (int k = 1; k < R; ++k) {
    const int high = k >= 8 ? 8 : k >= 4 ? 4 : k >= 2 ? 2 : 1;
    if (k == high) {
      w[k] = turn[k * at];
      if (Sign > 0) w[k].y = -w[k].y;
    } else {
      w[k] = times(w[high], w[k - high]);
    }
    a[k] = times(a[k], w[k]);
  }
}

// One stage of a line of `length`: transforms of R elements, `span` apart, each written to the
// places that it was read from. read(p) returns element p, write(p, value) takes it.
template <int R, int Sign, class C, class Read, class Write>
__device__ __forceinline__ void lineStage(int length, int span, std::uint32_t perSpan,
                                          const C* __restrict__ turn, const Read& read, const Write& write) {
  const int transforms = length / R, step = transforms / span;
  for (int b = int(threadIdx.x); b < transforms; b += int(blockDim.x)) {
    const int group = divided(b, perSpan), j = b - group * span, first = group * span * R + j;
    C a[R];
#pragma unroll
    for (int i = 0; i < R; ++i) a[i] = read(first + i * span);
    if (Sign < 0 && span > 1) twiddled<R, Sign>(a, turn, j * step);
    transform<R, Sign>(a);
    if (Sign > 0 && span > 1) twiddled<R, Sign>(a, turn, j * step);
#pragma unroll
    for (int i = 0; i < R; ++i) write(first + i * span, a[i]);
  }
}

template <int Sign, class C, class Read, class Write>
__device__ __forceinline__ void anyStage(const LineStages& stages, int s, int length,
                                         const C* __restrict__ turn, const Read& read, const Write& write) {
  const int radix = stages.radix[s];
  const auto tryOne = [&]<int R>() {
    if constexpr (isRadix(R))
      if (radix == R) lineStage<R, Sign>(length, stages.span[s], stages.perSpan[s], turn, read, write);
  };
  [&]<int... R>(std::integer_sequence<int, R...>) {
    (tryOne.template operator()<R>(), ...);
  }
  (std::make_integer_sequence<int, maxRadix<decltype(C::x)> + 1>{});
}

// Decimation in time for pad, in frequency for crop. So the mixed order is on the pixels' side, and
// a stage writes (or reads) the grid directly.
template <class Real, LinePass pass>
__global__ void __launch_bounds__(maxBlockLineThreads)
    blockLine(const Complex<Real>* in, Complex<Real>* out, const __grid_constant__ BlockLine line,
              const __grid_constant__ LineStages stages, const Complex<Real>* __restrict__ turn,
              const __grid_constant__ LineFactors<Real> factors) {
  using C = Complex<Real>;
  extern __shared__ __align__(16) unsigned char sharedMemory[];
  C* shared = reinterpret_cast<C*>(sharedMemory);
  const int length = line.cells, pixels = line.pixels, half = line.half;
  const bool swap = line.swap;
  const Pixels<true> image{pixels, half, length, 1};
  const Real yz = factors.y[0] * factors.z[0];
  const auto readShared = [&](int p) { return shared[banked<C>(p)]; };
  const auto writeShared = [&](int p, C v) { shared[banked<C>(p)] = v; };
  bool finite = true;
  if constexpr (pass == LinePass::pad) {
    in += std::int64_t(blockIdx.x) * pixels;
    out += std::int64_t(blockIdx.x) * length;
    double energy = 0;
    for (int e = int(threadIdx.x); e < length; e += int(blockDim.x)) {
      C v{0, 0};
      if (image.has(e)) {
        v = scaled(swapped(in[image.pixel(e)], swap), factors.x[image.pixel(e)] * yz);
        finite = finite && isFinite(v);
        energy += double(v.x) * v.x + double(v.y) * v.y;
      }
      writeShared(placeOf(stages, e), v);
    }
    if (factors.energy) addEnergy(energy, factors.energy);
    __syncthreads();
    for (int s = stages.count - 1; s > 0; --s) {
      anyStage<-1, C>(stages, s, length, turn, readShared, writeShared);
      __syncthreads();
    }
    anyStage<-1, C>(stages, 0, length, turn, readShared, [&](int p, C v) { out[p] = swapped(v, swap); });
  } else {
    in += std::int64_t(blockIdx.x) * length;
    out += std::int64_t(blockIdx.x) * pixels;
    anyStage<1, C>(
        stages, 0, length, turn, [&](int p) { return swapped(in[p], swap); }, writeShared);
    for (int s = 1; s < stages.count; ++s) {
      __syncthreads();
      anyStage<1, C>(stages, s, length, turn, readShared, writeShared);
    }
    __syncthreads();
    for (int n = int(threadIdx.x); n < pixels; n += int(blockDim.x)) {
      const int e = n < half ? n - half + length : n - half;
      const C v = scaled(swapped(readShared(placeOf(stages, e)), swap), factors.x[n] * yz);
      finite = finite && isFinite(v);
      out[n] = v;
    }
  }
  if (!finite) *factors.notFinite = 1;
}

// The fewest radices whose product is `rest`, descending. Among equally short lists the smallest
// largest radix wins.
template <class Real>
void splitLength(int rest, LineStages& now, LineStages& best) {
  if (rest == 1 && (best.count == 0 || now.count < best.count ||
                    (now.count == best.count && now.radix[0] < best.radix[0])))
    best = now;
  if (rest == 1 || now.count + 1 > (best.count > 0 ? best.count : LineStages::most)) return;
  const int largest = now.count > 0 ? now.radix[now.count - 1] : maxRadix<Real>;
  for (int r = largest; r >= 2; --r) {
    if (!isRadix(r) || rest % r != 0) continue;
    now.radix[now.count++] = r;
    splitLength<Real>(rest / r, now, best);
    --now.count;
  }
}

template <class Real>
LineStages lineStages(int length) {
  LineStages now, best;
  splitLength<Real>(length, now, best);
  const auto divider = [](int n) {
    return n > 1 ? std::uint32_t(((std::uint64_t(1) << 32) + n - 1) / n) : 0;
  };
  int span = length;
  for (int s = 0; s < best.count; ++s) {
    span /= best.radix[s];
    best.span[s] = span;
    best.perRadix[s] = divider(best.radix[s]);
    best.perSpan[s] = divider(span);
  }
  return best;
}

template <class Real>
void launchBlockLine(LinePass pass, const LineStages& stages, const Complex<Real>* in, Complex<Real>* out,
                     const BlockLine& line, const Complex<Real>* turn, const LineFactors<Real>& factors,
                     cudaStream_t stream) {
  constexpr int warp = 32, minThreads = 64, cellsPerThread = 4;
  const int threads =
      std::clamp((line.cells / cellsPerThread + warp - 1) / warp * warp, minThreads, maxBlockLineThreads);
  const auto kernel =
      pass == LinePass::pad ? blockLine<Real, LinePass::pad> : blockLine<Real, LinePass::crop>;
  const std::size_t bytes = blockLineBytes<Real>(line.cells);
  allowShared(kernel, bytes);
  kernel<<<blocksFor(line.images, 1), threads, bytes, stream>>>(in, out, line, stages, turn, factors);
  checkLaunch("transforming a line");
}

}  // namespace spokelab::gpu
