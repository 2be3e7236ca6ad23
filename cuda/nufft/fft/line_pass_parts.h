// The files that compile the passes' lengths (line_lengths.h), one function each.
#pragma once

#include "cuda/nufft/fft/line_pass.h"

namespace spokelab::gpu {

// As launchLinePass, of pad and crop alone and with lines.half > 0. False: the length is not in that file.
template <class Real>
using PadOrCropLauncher = bool(LinePass pass, int length, const Complex<Real>* in, Complex<Real>* out,
                               const Lines& lines, std::int64_t batch, const Complex<Real>* turn,
                               const LineFactors<Real>& factors, cudaStream_t stream);

PadOrCropLauncher<float> launchShortLinePass, launchLongLinePass, launchLongestLinePass;
PadOrCropLauncher<double> launchShortDoubleLinePass, launchDoubleLinePass, launchLongDoubleLinePass;

}  // namespace spokelab::gpu
