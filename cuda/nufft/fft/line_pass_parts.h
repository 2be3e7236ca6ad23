// Pad and crop of the lengths in a list (line_lengths.h), lines.half > 0. Each list's kernels are compiled in a
// file of their own.
#pragma once

#include "cuda/nufft/fft/line_lengths.h"
#include "cuda/nufft/fft/line_pass.h"

namespace spokelab::gpu {

template <class Real, class List>
struct PadOrCrop {
  // As launchLinePass. False: the length is not in the list.
  static bool launch(LinePass pass, int length, const Complex<Real>* in, Complex<Real>* out,
                     const Lines& lines, std::int64_t batch, const Complex<Real>* turn,
                     const LineFactors<Real>& factors, cudaStream_t stream);
};

extern template struct PadOrCrop<float, ShortLengths>;
extern template struct PadOrCrop<float, LongLengths>;
extern template struct PadOrCrop<float, LongerLengths>;
extern template struct PadOrCrop<float, LongestLengths>;
extern template struct PadOrCrop<double, ShortLengths>;
extern template struct PadOrCrop<double, FusedLengths>;
extern template struct PadOrCrop<double, LongLengths>;

}  // namespace spokelab::gpu
