// Passes over lines of large 2-D images: LongLengths (line_lengths.h).
#pragma once

#include "cuda/nufft/fft/line_pass.h"

namespace spokelab::gpu {

// As launchLinePass, of pad and crop alone and with lines.half > 0. False: the length is not here.
bool launchLongLinePass(LinePass pass, int length, const float2* in, float2* out, const Lines& lines,
                        std::int64_t batch, const float2* turn, const LineFactors& factors,
                        cudaStream_t stream);

}  // namespace spokelab::gpu
