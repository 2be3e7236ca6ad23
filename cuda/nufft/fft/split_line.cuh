// The kernel over rows of a long line (split_line.h), which two files compile for their precision.
#pragma once

#include <string>

#include "cuda/nufft/fft/line_pass.cuh"
#include "cuda/nufft/fft/split_line.h"
#include "engine/nufft/kernel/grid_size.h"

namespace spokelab::gpu {

template <class Real>
__device__ __forceinline__ Complex<Real> rootOf(const SplitLine<Real>& line, int n) {
  return times(line.coarse[n / fineRoots], line.fine[n % fineRoots]);
}

// Threads run across rows, whose pixels are neighbours.
template <class Real, int P, int Q, LinePass pass>
__global__ void __launch_bounds__(threadsOf<Real, P, Q>)
    splitLine(const Complex<Real>* in, Complex<Real>* out, const Complex<Real>* __restrict__ turn,
              const __grid_constant__ SplitLine<Real> line, const __grid_constant__ LineFactors<Real> factors) {
  using C = Complex<Real>;
  constexpr int T = P > Q ? P : Q, length = P * Q, rowsOfBlock = linesPerBlock<Real, P, Q>;
  extern __shared__ __align__(16) unsigned char sharedMemory[];
  C* exchange = reinterpret_cast<C*>(sharedMemory);
  const int t = int(threadIdx.x) / rowsOfBlock, r = int(threadIdx.x) % rowsOfBlock;
  const int row = int(blockIdx.x) * rowsOfBlock + r, cells = line.rows * length;
  const bool exists = row < line.rows;
  const Pixels<true> image{line.pixels, line.half, cells, 1};
  const Real yz = factors.y[0] * factors.z[0];
  constexpr bool pad = pass == LinePass::pad;
  in += std::int64_t(blockIdx.y) * (pad ? line.pixels : cells);
  out += std::int64_t(blockIdx.y) * (pad ? cells : line.pixels);
  C a[T];
  bool finite = true;
  double energy = 0;
#pragma unroll
  for (int i = 0; i < P; ++i) {
    const int e = t + Q * i, cell = row + line.rows * e;
    const bool read = exists && t < Q && (!pad || image.has(cell));
    a[i] = C{0, 0};
    if (!read) continue;
    if constexpr (pad) {
      const int pixel = image.pixel(cell);
      a[i] = scaled(swapped(in[pixel], line.swapIn), factors.x[pixel] * yz);
      finite = finite && isFinite(a[i]);
      energy += double(a[i].x) * a[i].x + double(a[i].y) * a[i].y;
    } else {
      a[i] = conjugateTimes(rootOf(line, row * e), in[row * length + e]);
    }
  }
  if (pad && factors.energy) addEnergy(energy, factors.energy);
  lineTransform<P, Q, pad ? -1 : 1>(a, t, exchange + r, rowsOfBlock, turn);
#pragma unroll
  for (int m = 0; m < Q; ++m) {
    const int e = t + P * m, cell = row + line.rows * e;
    if (!exists || t >= P) continue;
    if constexpr (pad) {
      out[row * length + e] = times(rootOf(line, row * e), a[m]);
    } else if (image.has(cell)) {
      const int pixel = image.pixel(cell);
      const C v = scaled(swapped(a[m], line.swapOut), factors.x[pixel] * yz);
      finite = finite && isFinite(v);
      out[pixel] = v;
    }
  }
  if (!finite) *factors.notFinite = 1;
}

template <class Real>
void launchSplitLine(LinePass pass, int length, const Complex<Real>* in, Complex<Real>* out,
                     const SplitLine<Real>& line, std::int64_t images, const Complex<Real>* turn,
                     const LineFactors<Real>& factors, cudaStream_t stream) {
  const bool done = withFactors(RowLengths{}, length, [&]<int P, int Q>() {
    const auto kernel =
        pass == LinePass::pad ? splitLine<Real, P, Q, LinePass::pad> : splitLine<Real, P, Q, LinePass::crop>;
    constexpr int shared = sharedBytes<Real, P, Q>(false);
    static_assert(shared < 48 << 10);
    allowShared(kernel, shared);
    const dim3 blocks(blocksFor(line.rows, linesPerBlock<Real, P, Q>), unsigned(images));
    kernel<<<blocks, threadsOf<Real, P, Q>, shared, stream>>>(in, out, turn, line, factors);
    checkLaunch("transforming rows of a line");
  });
  if (!done)
    throw Error("Cannot transform on the GPU", "no pass has rows of " + std::to_string(length) + " cells",
                "Report this as an error of the program");
}

}  // namespace spokelab::gpu
