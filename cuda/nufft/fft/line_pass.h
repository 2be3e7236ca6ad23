// Passes of line transforms between an image and a larger grid (float): one axis at a time, with
// padding or cropping built in, so that zeros are neither stored nor transformed. The pruned FFT of
// a NUFFT and the Toeplitz operator are made of them. All passes can work in place: a line is read
// whole before it is written.
#pragma once

#include <array>
#include <cstdint>

#include "cuda/device/buffer.h"
#include "engine/nufft/fft/line_passes.h"

namespace spokelab::gpu {

// pad: fewer pixels than the line is long come in; crop: fewer go out; fused: transform,
// multiplication by a real transfer function, and the transform back, pixels to pixels.
enum class LinePass { pad, crop, fused };

// The lines of one axis. Element e of line (outer, inner) of image b lies at
//   b * batch + outer * step + inner * skip + e * stride
// Pixel n of N, counted from the first, is element n - half, modulo the length.
struct Lines {
  struct Side {
    std::int64_t step = 0, skip = 1, stride = 1, batch = 0;
  };
  // Lines of an image, and lines of one `outer`.
  std::int64_t count = 0, inner = 1;
  Side in, out;
  // half 0: the first pixel is the first element.
  int pixels = 1, half = 0;
  // Stride 1: threads run along the line, else across lines.
  bool alongX = false;
  // Exchanging real and imaginary parts on both ends gives the transform of the other sign.
  bool swapIn = false, swapOut = false;
};

// Deapodization by lines along x where half > 0 (a NUFFT): pixel (outer, inner, n) is multiplied by
// z[outer] y[inner] x[n] on its way in or out. energy, where given, grows by sum |.|^2 of the
// pixels that came in, factors included. notFinite becomes 1 where a pixel that comes in, or goes
// out with factors, is NaN or infinite. image, where half is 0: pixels that come in along x are multiplied by its
// [inner, n].
struct LineFactors {
  const float *x = nullptr, *y = nullptr, *z = nullptr;
  int* notFinite = nullptr;
  double* energy = nullptr;
  const float2* image = nullptr;
};

// length: one that hasLinePass() (engine/nufft/fft/line_passes.h); fused: of passLengths. turn: e^{-2 pi i n / length}, n < length, on the device (lineTurns). Signs: pad -1, crop +1,
// fused both. transfer (fused): [length, inner]. Throws Error.
void launchLinePass(LinePass pass, int length, const float2* in, float2* out, const Lines& lines,
                    std::int64_t batch, const float2* turn, const LineFactors& factors, const float* transfer,
                    cudaStream_t stream);

// The roots of unity of x, y and z, one after the other.
DeviceBuffer<float2> lineTurns(const std::array<int, 3>& length, cudaStream_t stream);

}  // namespace spokelab::gpu
