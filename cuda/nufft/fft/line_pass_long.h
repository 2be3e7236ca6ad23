// Passes over lines of longPassLengths (line_passes.h), in a file of their own because they compile
// for long.
#pragma once

#include "cuda/nufft/fft/line_pass.h"

namespace spokelab::gpu {

// As launchLinePass. Only pad and crop, and lines.half > 0.
void launchLongLinePass(LinePass pass, int length, const float2* in, float2* out, const Lines& lines,
                        std::int64_t batch, const float2* turn, const LineFactors& factors,
                        cudaStream_t stream);

}  // namespace spokelab::gpu
