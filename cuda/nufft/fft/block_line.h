// Short 1-D grids: a line in one kernel, whose block holds it in shared memory, pads or crops it
// and deapodizes it on the way. (H100, float, kernels back to back: 5 us for 256 cells, 7 for 2048,
// 15 to 18 for 8192: longer ones are for split_line.h.)
#pragma once

#include <cstdint>

#include "cuda/device/complex.h"
#include "cuda/nufft/fft/line_pass.h"

namespace spokelab::gpu {

// Stages of one line: length = radix[0] radix[1] ... Element e = k0 + radix[0] (k1 + radix[1] (k2 +
// ...)) has the index k0 span[0] + k1 span[1] + ..., span[s] the product of all radices after s.
struct LineStages {
  static constexpr int most = 8;
  int count = 0;  // 0: a line of this length does not fit
  int radix[most] = {}, span[most] = {};
  // 2^32 / radix and 2^32 / span, rounded up, for division by multiplication; 0 for a divisor of 1.
  std::uint32_t perRadix[most] = {}, perSpan[most] = {};
};

// The fewest stages of an even length 2^a 3^b 5^c 7^d.
template <class Real>
LineStages lineStages(int length);

// A line has `cells` grid cells and `pixels` pixels; pixel n is cell n - half, modulo cells. swap:
// exchanging real and imaginary parts on both ends gives the transform of the other sign.
struct BlockLine {
  int cells, pixels, half;
  std::int64_t images;
  bool swap;
};

// pad: image [images, pixels] to grid [images, cells], exponent -1; crop: grid to image, +1. turn
// as for launchLinePass. Throws Error.
template <class Real>
void launchBlockLine(LinePass pass, const LineStages& stages, const Complex<Real>* in, Complex<Real>* out,
                     const BlockLine& line, const Complex<Real>* turn, const LineFactors<Real>& factors,
                     cudaStream_t stream);

}  // namespace spokelab::gpu
