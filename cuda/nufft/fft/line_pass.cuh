// The kernel of a pass of line transforms (line_pass.h), which several files compile for their lengths.
#pragma once

#include <algorithm>

#include "cuda/device/launch.cuh"
#include "cuda/nufft/fft/line_fft.cuh"
#include "cuda/nufft/fft/line_pass.h"
#include "cuda/nufft/fft/line_pass_parts.h"

namespace spokelab::gpu {

// Consecutive lines of a strided axis that a block takes: 16 lines (8 in double) make 128-byte accesses. Large
// 2-D images have long lines, but so few of them that large blocks would leave multiprocessors
// idle: their blocks take 4 lines, which make 32-byte accesses, one sector, and three blocks fit a
// multiprocessor (for 1024^2 pixels into 1280^2 cells blocks of 8 lines took 26 + 35 us, cuFFT with
// its padding 49).
template <class Real, int P, int Q>
constexpr int linesPerBlock = P* Q > 512 ? 4 : 128 / int(sizeof(Complex<Real>));
// Whole warps; threads beyond the lines only keep step.
template <class Real, int P, int Q>
constexpr int threadsOf = (linesPerBlock<Real, P, Q> * (P > Q ? P : Q) + 31) / 32 * 32;

// Blocks a multiprocessor that the compiler is asked to leave registers for; 0: it chooses. Asked for one,
// it takes a quarter more registers and loads more at a time, which lines of small grids and of crop gain
// from. Pad, which writes more than it reads, wants the blocks instead where a volume has many lines (H100:
// 256^3 pixels into 384^3 cells 0.96 ms, 1.40 with one block asked for; into 2-D grids of 1152 and 1280 cells
// a fifth less). Lines beyond 1440 cells would leave no room for a second block.
template <int P, int Q, LinePass pass>
constexpr int blocksTogether() {
  constexpr int length = P * Q;
  if (length > 1440) return 2;
  const bool volumes = length >= 216 && length <= 512, slices = length >= 1024;
  return pass == LinePass::pad && (volumes || slices) ? 0 : 1;
}

// Of a block's shared memory. Along x, threads beyond the lines write to the exchange, too, and need room: to keep
// them from it takes registers that long lines do not have.
template <class Real, int P, int Q>
constexpr int sharedBytes(bool alongX) {
  constexpr int held = (threadsOf<Real, P, Q> + std::max(P, Q) - 1) / std::max(P, Q);
  return (alongX ? held : linesPerBlock<Real, P, Q>)*exchangeLength(P, Q) * int(sizeof(Complex<Real>));
}

// Which elements of a line are pixels. Offsets within an image fit 32 bits, which spares
// instructions: transforms of lines wait for them as much as for memory.
template <bool Centred>
struct Pixels {
  int pixels, half, length, stride;
  __device__ __forceinline__ bool has(int e) const {
    return Centred ? e < pixels - half || e >= length - half : e < pixels;
  }
  __device__ __forceinline__ int pixel(int e) const {
    return Centred ? e + half - (e >= length - half ? length : 0) : e;
  }
  __device__ __forceinline__ int offset(int e) const { return pixel(e) * stride; }
};

template <class C>
__device__ __forceinline__ C swapped(C v, bool swap) {
  return swap ? C{v.y, v.x} : v;
}

// Sum over the block, added to *energy by one thread.
__device__ __forceinline__ void addEnergy(double mine, double* energy) {
  __shared__ double share[32];
  for (int step = 16; step > 0; step /= 2) mine += __shfl_xor_sync(~0u, mine, step);
  if (threadIdx.x % 32 == 0) share[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  double sum = 0;
  for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += share[w];
  if (sum > 0) atomicAdd(energy, sum);
}

// AlongX: the line lies along x, threads run along it; otherwise threads run across lines. Centred:
// pixel 0 is not element 0, and the factors are looked at.
template <class Real, int P, int Q, LinePass pass, bool AlongX, bool Centred>
__global__ void __launch_bounds__(threadsOf<Real, P, Q>, blocksTogether<P, Q, pass>())
    linePass(const Complex<Real>* in, Complex<Real>* out, const Real* __restrict__ transfer,
             const Complex<Real>* __restrict__ turn, const __grid_constant__ Lines lines,
             const __grid_constant__ LineFactors<Real> factors) {
  using C = Complex<Real>;
  constexpr int T = P > Q ? P : Q, length = P * Q, blockLines = linesPerBlock<Real, P, Q>;
  extern __shared__ __align__(16) unsigned char sharedMemory[];
  C* exchange = reinterpret_cast<C*>(sharedMemory);
  const int t = AlongX ? int(threadIdx.x) % T : int(threadIdx.x) / blockLines;
  const int l = AlongX ? int(threadIdx.x) / T : int(threadIdx.x) % blockLines;
  const std::int64_t line = std::int64_t(blockIdx.x) * blockLines + l;
  const bool exists = l < blockLines && line < lines.count;
  const std::int64_t outer = exists ? line / lines.inner : 0, inner = exists ? line % lines.inner : 0;
  const C* from = in + blockIdx.y * lines.in.batch + outer * lines.in.step + inner * lines.in.skip;
  C* to = out + blockIdx.y * lines.out.batch + outer * lines.out.step + inner * lines.out.skip;
  C* shared = exchange + (AlongX ? l * exchangeLength(P, Q) : l);
  constexpr int stride = AlongX ? 1 : blockLines;
  constexpr bool first = AlongX && pass == LinePass::pad, last = AlongX && pass == LinePass::crop;
  Real yz = 1;
  if constexpr (Centred && AlongX) yz = factors.y[inner] * factors.z[outer];

  const Pixels<Centred> source{lines.pixels, lines.half, length, int(lines.in.stride)},
      target{lines.pixels, lines.half, length, int(lines.out.stride)};
  C a[T];
  bool finite = true;
  double energy = 0;
#pragma unroll
  for (int i = 0; i < P; ++i) {
    const int e = t + Q * i;
    const bool read = exists && t < Q && (pass == LinePass::crop || source.has(e));
    a[i] = read ? from[pass == LinePass::crop ? e * source.stride : source.offset(e)] : C{0, 0};
    if constexpr (Centred) {
      a[i] = swapped(a[i], lines.swapIn);
      if (first && read) {
        const Real w = factors.x[source.pixel(e)] * yz;
        a[i] = scaled(a[i], w);
      }
      if (first && factors.energy) energy += double(a[i].x) * a[i].x + double(a[i].y) * a[i].y;
    }
    if constexpr (!Centred && first)
      if (factors.image && read) a[i] = times(factors.image[inner * lines.pixels + e], a[i]);
    if (first) finite = finite && isFinite(a[i]);
  }
  if (first && !finite) *factors.notFinite = 1;
  if (Centred && first && factors.energy) addEnergy(energy, factors.energy);
  lineTransform<P, Q, pass == LinePass::crop ? 1 : -1>(a, t, shared, stride, turn);
  if constexpr (pass == LinePass::fused) {
    if (exists && t < P) {
#pragma unroll
      for (int m = 0; m < Q; ++m) {
        const Real f = transfer[std::int64_t(t + P * m) * lines.inner + inner];
        a[m] = scaled(a[m], f);
      }
    }
    __syncthreads();
    // Back again: thread t < Q then holds elements t + Q i.
    lineTransform<Q, P, 1>(a, t, shared, stride, turn);
#pragma unroll
    for (int i = 0; i < P; ++i)
      if (exists && t < Q && target.has(t + Q * i)) to[target.offset(t + Q * i)] = a[i];
  } else {
    finite = true;
#pragma unroll
    for (int m = 0; m < Q; ++m) {
      const int e = t + P * m;
      if (!exists || t >= P || (pass == LinePass::crop && !target.has(e))) continue;
      if constexpr (Centred) {
        a[m] = swapped(a[m], lines.swapOut);
        if (last) {
          const Real w = factors.x[target.pixel(e)] * yz;
          a[m] = scaled(a[m], w);
          finite = finite && isFinite(a[m]);
        }
      }
      to[pass == LinePass::crop ? target.offset(e) : e * target.stride] = a[m];
    }
    if (Centred && last && !finite) *factors.notFinite = 1;
  }
}

template <class Real, int P, int Q, LinePass pass, bool AlongX, bool Centred>
void launchLines(const Complex<Real>* in, Complex<Real>* out, const Lines& lines, std::int64_t batch,
                 const Complex<Real>* turn, const LineFactors<Real>& factors, const Real* transfer,
                 cudaStream_t stream) {
  const auto kernel = linePass<Real, P, Q, pass, AlongX, Centred>;
  constexpr int blockLines = linesPerBlock<Real, P, Q>;
  constexpr int shared = sharedBytes<Real, P, Q>(AlongX);
  allowShared(kernel, shared);
  const dim3 blocks(blocksFor(lines.count, blockLines), unsigned(batch));
  kernel<<<blocks, threadsOf<Real, P, Q>, shared, stream>>>(in, out, transfer, turn, lines, factors);
  checkLaunch("transforming lines");
}

template <class Real, class List>
bool PadOrCrop<Real, List>::launch(LinePass pass, int length, const Complex<Real>* in, Complex<Real>* out,
                                   const Lines& lines, std::int64_t batch, const Complex<Real>* turn,
                                   const LineFactors<Real>& factors, cudaStream_t stream) {
  const auto go = [&]<LinePass which, bool AlongX>() {
    return withFactors(List{}, length, [&]<int P, int Q>() {
      launchLines<Real, P, Q, which, AlongX, true>(in, out, lines, batch, turn, factors, nullptr, stream);
    });
  };
  if (pass == LinePass::pad)
    return lines.alongX ? go.template operator()<LinePass::pad, true>()
                        : go.template operator()<LinePass::pad, false>();
  return lines.alongX ? go.template operator()<LinePass::crop, true>()
                      : go.template operator()<LinePass::crop, false>();
}

}  // namespace spokelab::gpu
