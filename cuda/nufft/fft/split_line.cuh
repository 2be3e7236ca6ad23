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

// Calls run.template operator()<Shape>() where there are rows of this length, else returns false.
template <class Real, class Run>
constexpr bool withRow(int length, Run&& run) {
  const auto ifRow = [&]<class Shape>() {
    if constexpr (std::binary_search(std::begin(gpuSplitLengths), std::end(gpuSplitLengths), Shape::length))
      run.template operator()<Shape>();
  };
  return std::binary_search(std::begin(gpuSplitLengths), std::end(gpuSplitLengths), length) &&
         (withShape(typename Short<Real>::Across{}, length, ifRow) ||
          withShape(typename Middle<Real>::Across{}, length, ifRow));
}

// Threads run across rows, whose pixels are neighbours.
template <class Real, class Shape, LinePass pass>
__global__ void __launch_bounds__(threadsOf<Shape>)
    splitLine(const Complex<Real>* in, Complex<Real>* out, const Complex<Real>* __restrict__ turn,
              const __grid_constant__ SplitLine<Real> line, const __grid_constant__ LineFactors<Real> factors) {
  using C = Complex<Real>;
  constexpr int length = Shape::length, rowsOfBlock = Shape::lines;
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
  C a[Shape::values];
  bool finite = true;
  double energy = 0;
  // A second loop checks the loaded values, as in linePass.
  Real weight[pad ? Shape::values : 1];
  Shape::forEachIn(t, [&](int i, int e, bool own) {
    const int cell = row + line.rows * e, pixel = image.pixel(cell);
    const bool read = exists && own && (!pad || image.has(cell));
    a[i] = read ? in[pad ? pixel : row * length + e] : C{0, 0};
    if constexpr (pad) weight[i] = read ? __ldg(factors.x + pixel) : Real(0);
  });
  Shape::forEachIn(t, [&](int i, int e, bool own) {
    if constexpr (pad) {
      a[i] = scaled(swapped(a[i], line.swapIn), weight[i] * yz);
      finite = finite && isFinite(a[i]);
      energy += double(a[i].x) * a[i].x + double(a[i].y) * a[i].y;
    } else if (exists && own) {
      a[i] = conjugateTimes(rootOf(line, row * e), a[i]);
    }
  });
  if (pad && factors.energy) addEnergy(energy, factors.energy);
  Shape::template transform<pad ? -1 : 1>(a, t, exchange + r, rowsOfBlock, turn, [&](int e, C v, int) {
    const int cell = row + line.rows * e;
    if (!exists) return;
    if constexpr (pad) {
      out[row * length + e] = times(rootOf(line, row * e), v);
    } else if (image.has(cell)) {
      const int pixel = image.pixel(cell);
      v = scaled(swapped(v, line.swapOut), factors.x[pixel] * yz);
      finite = finite && isFinite(v);
      out[pixel] = v;
    }
  });
  if (!finite) *factors.notFinite = 1;
}

template <class Real>
void launchSplitLine(LinePass pass, int length, const Complex<Real>* in, Complex<Real>* out,
                     const SplitLine<Real>& line, std::int64_t images, const Complex<Real>* turn,
                     const LineFactors<Real>& factors, cudaStream_t stream) {
  static_assert(std::all_of(std::begin(gpuSplitLengths), std::end(gpuSplitLengths),
                            [](int row) { return withRow<Real>(row, [&]<class Shape>() {}); }),
                "grids are made for rows that are not there");
  const bool done = withRow<Real>(length, [&]<class Shape>() {
    const auto kernel =
        pass == LinePass::pad ? splitLine<Real, Shape, LinePass::pad> : splitLine<Real, Shape, LinePass::crop>;
    constexpr int shared = sharedBytes<Real, Shape>;
    static_assert(shared < 48 << 10);
    allowShared(kernel, shared);
    const dim3 blocks(blocksFor(line.rows, Shape::lines), unsigned(images));
    kernel<<<blocks, threadsOf<Shape>, shared, stream>>>(in, out, turn, line, factors);
    checkLaunch("transforming rows of a line");
  });
  if (!done)
    throw Error("Cannot transform on the GPU", "no pass has rows of " + std::to_string(length) + " cells",
                "Report this as an error of the program");
}

}  // namespace spokelab::gpu
