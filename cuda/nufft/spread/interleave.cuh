// Reorders a batch: [image, item] into interleaved [item, image], and back. A permutation can move
// items meanwhile: samples from the caller's order into the points' order.
#pragma once

#include "cuda/device/complex.h"
#include "cuda/device/launch.cuh"

namespace spokelab::gpu {

// One thread a value, images fastest: adjacent values are read and written in whole sectors on both
// sides.
template <class Real, bool Back>
__global__ void __launch_bounds__(threadsPerBlock)
    moveImages(const Complex<Real>* from, Complex<Real>* to, const std::uint32_t* place, std::int64_t count,
               int images, int row) {
  const std::int64_t k = globalThread();
  if (k >= count * images) return;
  const std::int64_t i = k / images, b = k - i * images, beside = i * row + b;
  const std::int64_t after = b * count + (place ? std::int64_t(place[i]) : i);
  if constexpr (Back)
    to[after] = from[beside];
  else
    to[beside] = from[after];
}

// to[i * row + b] = from[b * count + place[i]] for b < images <= row. place: the permutation; null:
// place[i] = i. Entries b >= images are not written.
template <class Real>
void interleave(const Complex<Real>* from, Complex<Real>* to, const std::uint32_t* place, std::int64_t count,
                int images, int row, cudaStream_t stream) {
  moveImages<Real, false>
      <<<blocksFor(count * images), threadsPerBlock, 0, stream>>>(from, to, place, count, images, row);
  checkLaunch("moving images side by side");
}

// The reverse: to[b * count + place[i]] = from[i * row + b].
template <class Real>
void separate(const Complex<Real>* from, Complex<Real>* to, const std::uint32_t* place, std::int64_t count,
              int images, int row, cudaStream_t stream) {
  moveImages<Real, true>
      <<<blocksFor(count * images), threadsPerBlock, 0, stream>>>(from, to, place, count, images, row);
  checkLaunch("moving images apart");
}

}  // namespace spokelab::gpu
