// Passes of line transforms between an image and a larger grid: one axis at a time, with
// padding or cropping built in, so that zeros are neither stored nor transformed. The pruned FFT of
// a NUFFT and the Toeplitz operator are made of them. All passes can work in place: a line is read
// whole before it is written. In double there are pad and crop alone, half > 0.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cuda/device/buffer.h"
#include "cuda/device/complex.h"

namespace spokelab::gpu {

// pad: fewer pixels than the line is long come in; crop: fewer go out; fused: transform,
// multiplication by a real transfer function, and the transform back, pixels to pixels.
enum class LinePass { pad, crop, fused };

// The lines of one axis. Element e of line (outer, inner) of image b has the index
//   b * batch + outer * step + inner * skip + e * stride
// Pixel n of N, counted from the first, is element n - half, modulo the length.
struct Lines {
  struct Side {
    std::int64_t step = 0, skip = 1, stride = 1, batch = 0;
  };
  // count: lines of an image; line i is (outer, inner) = (i / inner, i % inner).
  std::int64_t count = 0, inner = 1;
  Side in, out;
  // half 0: the first pixel is the first element.
  int pixels = 1, half = 0;
  // Stride 1: threads run along the line, else across lines.
  bool alongX = false;
  // Exchanging real and imaginary parts on both ends gives the transform of the other sign.
  bool swapIn = false, swapOut = false;
  // Columns of a longer line: the kernels that look at half and the swaps are taken although half
  // is 0.
  bool swaps = false;
};

// Deapodization by lines along x where half > 0 (a NUFFT): pixel (outer, inner, n) is multiplied by
// z[outer] y[inner] x[n] when it is read or written. energy, if given, grows by sum |.|^2 of the
// input pixels, factors included. notFinite becomes 1 if an input pixel, or an output pixel with
// factors, is NaN or infinite. image, if half is 0: input pixels along x are multiplied by its
// [inner, n].
template <class Real>
struct LineFactors {
  const Real *x = nullptr, *y = nullptr, *z = nullptr;
  int* notFinite = nullptr;
  double* energy = nullptr;
  const Complex<Real>* image = nullptr;
};

// Lengths of `fused`, ascending, and of pad and crop with any half.
inline constexpr int fusedLengths[] = {64,  96,  128, 144, 160, 180, 192, 216, 240,
                                       256, 288, 320, 360, 384, 400, 432, 480, 512};

// True if a device with this shared memory a block (bytes) can pad and crop (half > 0, or swaps)
// lines of this length. Enough memory serves all of gpuPassLengths
// (engine/nufft/kernel/grid_size.h).
template <class Real>
bool hasLinePass(int length, int sharedPerBlock);

// turn: e^{-2 pi i n / length}, n < length, on the device (lineTurns). Signs: pad -1, crop +1,
// fused both. transfer (fused): [length, inner]. Throws Error.
template <class Real>
void launchLinePass(LinePass pass, int length, const Complex<Real>* in, Complex<Real>* out,
                    const Lines& lines, std::int64_t batch, const Complex<Real>* turn,
                    const LineFactors<Real>& factors, const Real* transfer, cudaStream_t stream);

// Roots of unity on the device, one table after the other: e^{-2 pi i n step / length}, n < count.
struct TurnTable {
  int length, count, step = 1;
};
template <class Real>
DeviceBuffer<Complex<Real>> turnTables(const std::vector<TurnTable>& tables, cudaStream_t stream);
// All roots of x, y and z.
template <class Real>
DeviceBuffer<Complex<Real>> lineTurns(const std::array<int, 3>& length, cudaStream_t stream) {
  return turnTables<Real>({{length[0], length[0]}, {length[1], length[1]}, {length[2], length[2]}}, stream);
}

}  // namespace spokelab::gpu
