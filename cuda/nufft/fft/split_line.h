// Longer 1-D grids: rows x length cells in two kernels over many blocks. Cell r length + e, e <
// length, is cell e of row r.
//   pad    pixels r, r + rows, ... deapodized and transformed give row r, times
//          e^{-2 pi i r e / cells}: this kernel; then each column in place (line_pass.h)
//   crop   each column in place; then row r, times e^{2 pi i r e / cells}, transformed, gives these
//          pixels
// cuFFT compiles code for a line whose length is new to the machine (H100, cuFFT 12: up to 13,000
// cells in double, 30,000 in float; 0.04 to 1 s each), and needs a kernel more that pads or crops.
#pragma once

#include "cuda/device/complex.h"
#include "cuda/nufft/fft/line_pass.h"

namespace spokelab::gpu {

// e^{-2 pi i n / cells} = coarse[n / fineRoots] fine[n % fineRoots].
inline constexpr int fineRoots = 64;

// rows: of a line. pixels: of its image; pixel n is cell n - half, modulo the line's cells. fine,
// coarse: roots on the device. swapIn, swapOut: as in Lines.
template <class Real>
struct SplitLine {
  int rows = 1, pixels = 1, half = 0;
  const Complex<Real>*fine = nullptr, *coarse = nullptr;
  bool swapIn = false, swapOut = false;
};

// The rows of `images` lines, of `length` cells each: one of gpuSplitLengths
// (engine/nufft/kernel/grid_size.h). turn as for launchLinePass, of a row. Signs: pad -1, crop +1.
// Throws Error.
template <class Real>
void launchSplitLine(LinePass pass, int length, const Complex<Real>* in, Complex<Real>* out,
                     const SplitLine<Real>& line, std::int64_t images, const Complex<Real>* turn,
                     const LineFactors<Real>& factors, cudaStream_t stream);

}  // namespace spokelab::gpu
