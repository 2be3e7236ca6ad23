// The kernel of a pass of line transforms (line_pass.h), which several files compile for their
// lengths.
#pragma once

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "cuda/device/launch.cuh"
#include "cuda/nufft/fft/line_fft.cuh"
#include "cuda/nufft/fft/line_pass.h"
#include "cuda/nufft/fft/line_pass_parts.h"

namespace spokelab::gpu {

template <class Shape>
constexpr int threadsOf = Shape::lines* Shape::threads;

// Blocks for each multiprocessor that the compiler has to leave registers for: two for long lines
// across, which leaves each thread 64 registers, or 128 in double. With more blocks, registers
// would spill.
template <class Real, class Shape>
constexpr int blocksTogether() {
  constexpr int most = sizeof(Real) == 4 ? 512 : 256;
  return Shape::lines > 1 && Shape::length > 512 && threadsOf<Shape> <= most ? 2 : 1;
}

template <class Real, class Shape>
constexpr int sharedBytes = Shape::lines* Shape::room* int(sizeof(Complex<Real>));

// The elements of a line that are pixels. Offsets within an image fit 32 bits. This saves
// instructions, and line transforms wait for instructions as much as for memory.
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

// Lengths of the Toeplitz form, whose pixel 0 is element 0.
template <class Real>
constexpr bool isFused(int length) {
  return std::is_same_v<Real, float> &&
         std::binary_search(std::begin(fusedLengths), std::end(fusedLengths), length);
}

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

// AlongX: lines and threads run along x; otherwise threads run across lines. Centred: pixel 0 is
// not element 0, and pixels are multiplied by factors.
template <class Real, class Shape, LinePass pass, bool AlongX, bool Centred>
__global__ void __launch_bounds__(threadsOf<Shape>, blocksTogether<Real, Shape>())
    linePass(const Complex<Real>* in, Complex<Real>* out, const Real* __restrict__ transfer,
             const Complex<Real>* __restrict__ turn, const __grid_constant__ Lines lines,
             const __grid_constant__ LineFactors<Real> factors) {
  using C = Complex<Real>;
  constexpr int T = Shape::threads, length = Shape::length, blockLines = Shape::lines;
  extern __shared__ __align__(16) unsigned char sharedMemory[];
  C* exchange = reinterpret_cast<C*>(sharedMemory);
  static_assert(threadsOf<Shape> % 32 == 0);
  const int t = AlongX ? int(threadIdx.x) % T : int(threadIdx.x) / blockLines;
  const int l = AlongX ? int(threadIdx.x) / T : int(threadIdx.x) % blockLines;
  const std::int64_t line = std::int64_t(blockIdx.x) * blockLines + l;
  const bool exists = line < lines.count;
  const std::int64_t outer = exists ? line / lines.inner : 0, inner = exists ? line % lines.inner : 0;
  const C* from = in + blockIdx.y * lines.in.batch + outer * lines.in.step + inner * lines.in.skip;
  C* to = out + blockIdx.y * lines.out.batch + outer * lines.out.step + inner * lines.out.skip;
  C* shared = exchange + (AlongX ? l * Shape::room : l);
  constexpr int stride = AlongX ? 1 : blockLines;
  constexpr bool first = AlongX && pass == LinePass::pad, last = AlongX && pass == LinePass::crop;
  Real yz = 1;
  if constexpr (Centred && AlongX) yz = factors.y[inner] * factors.z[outer];

  const Pixels<Centred> source{lines.pixels, lines.half, length, int(lines.in.stride)},
      target{lines.pixels, lines.half, length, int(lines.out.stride)};
  C a[Shape::values];
  bool finite = true;
  double energy = 0;
  // A second loop checks the loaded values: in one loop, each load would wait for the load before
  // it.
  const auto reads = [&](int e, bool own) {
    return exists && own && (pass == LinePass::crop || source.has(e));
  };
  Real weight[first && Centred ? Shape::values : 1];
  C map[first && !Centred ? Shape::values : 1];
  Shape::forEachIn(t, [&](int i, int e, bool own) {
    const bool read = reads(e, own);
    a[i] = read ? from[pass == LinePass::crop ? e * source.stride : source.offset(e)] : C{0, 0};
    if constexpr (first && Centred) weight[i] = read ? __ldg(factors.x + source.pixel(e)) : Real(0);
  });
  if constexpr (first && !Centred)
    if (factors.image)
      Shape::forEachIn(t, [&](int i, int e, bool own) {
        map[i] = reads(e, own) ? factors.image[inner * lines.pixels + e] : C{0, 0};
      });
  Shape::forEachIn(t, [&](int i, int, bool) {
    if constexpr (Centred) a[i] = swapped(a[i], lines.swapIn);
    if constexpr (first && Centred) {
      a[i] = scaled(a[i], weight[i] * yz);
      if (factors.energy) energy += double(a[i].x) * a[i].x + double(a[i].y) * a[i].y;
    }
    if constexpr (first && !Centred)
      if (factors.image) a[i] = times(map[i], a[i]);
    if (first) finite = finite && isFinite(a[i]);
  });
  if (first && !finite) *factors.notFinite = 1;
  if (Centred && first && factors.energy) addEnergy(energy, factors.energy);
  if constexpr (pass == LinePass::fused) {
    using Back = typename Shape::Reversed;
    C b[Back::values];
    Shape::template transform<-1>(a, t, shared, stride, turn, [&](int e, C v, int slot) {
      b[slot] = exists ? scaled(v, transfer[std::int64_t(e) * lines.inner + inner]) : C{0, 0};
    });
    __syncthreads();
    Back::template transform<1>(b, t, shared, stride, turn, [&](int e, C v, int) {
      if (exists && target.has(e)) to[target.offset(e)] = v;
    });
  } else {
    finite = true;
    Shape::template transform<pass == LinePass::crop ? 1 : -1>(
        a, t, shared, stride, turn, [&](int e, C v, int) {
          const bool written = exists && (pass == LinePass::pad || target.has(e));
          if constexpr (Centred) v = swapped(v, lines.swapOut);
          if constexpr (Centred && last) {
            // Loaded in any case, and as a constant: it need not wait for branches and stores.
            const Real w = __ldg(factors.x + (written ? target.pixel(e) : 0)) * yz;
            v = scaled(v, w);
            finite = finite && (!written || isFinite(v));
          }
          if (!written) return;
          to[pass == LinePass::crop ? target.offset(e) : e * target.stride] = v;
        });
    if (Centred && last && !finite) *factors.notFinite = 1;
  }
}

template <class Real, class Shape, LinePass pass, bool AlongX, bool Centred>
void launchLines(const Complex<Real>* in, Complex<Real>* out, const Lines& lines, std::int64_t batch,
                 const Complex<Real>* turn, const LineFactors<Real>& factors, const Real* transfer,
                 cudaStream_t stream) {
  const auto kernel = linePass<Real, Shape, pass, AlongX, Centred>;
  constexpr int shared = sharedBytes<Real, Shape>;
  allowShared(kernel, shared);
  const dim3 blocks(blocksFor(lines.count, Shape::lines), unsigned(batch));
  kernel<<<blocks, threadsOf<Shape>, shared, stream>>>(in, out, transfer, turn, lines, factors);
  checkLaunch("transforming lines");
}

template <class Real, class Lengths>
bool LinePasses<Real, Lengths>::launch(LinePass pass, int length, const Complex<Real>* in, Complex<Real>* out,
                                       const Lines& lines, std::int64_t batch, const Complex<Real>* turn,
                                       const LineFactors<Real>& factors, const Real* transfer,
                                       cudaStream_t stream) {
  bool done = false;
  const auto go = [&]<LinePass which, bool AlongX>() {
    using List = std::conditional_t<AlongX, typename Lengths::Along, typename Lengths::Across>;
    withShape(List{}, length, [&]<class Shape>() {
      const auto launch = [&]<bool Centred>() {
        launchLines<Real, Shape, which, AlongX, Centred>(in, out, lines, batch, turn, factors, transfer,
                                                         stream);
        done = true;
      };
      if constexpr (which == LinePass::fused) {
        if constexpr (isFused<Real>(Shape::length)) launch.template operator()<false>();
      } else if (lines.half > 0 || lines.swaps) {
        launch.template operator()<true>();
      } else if constexpr (isFused<Real>(Shape::length)) {
        launch.template operator()<false>();
      }
    });
  };
  if (pass == LinePass::fused)
    go.template operator()<LinePass::fused, false>();
  else if (pass == LinePass::pad)
    lines.alongX ? go.template operator()<LinePass::pad, true>()
                 : go.template operator()<LinePass::pad, false>();
  else
    lines.alongX ? go.template operator()<LinePass::crop, true>()
                 : go.template operator()<LinePass::crop, false>();
  return done;
}

}  // namespace spokelab::gpu
