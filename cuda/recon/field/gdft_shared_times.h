// Gdft where the shots share their readout times, on the regular grid: the field's phase of a pixel
// at a time serves all shots, and along a row of pixels k . r only grows by a constant.
//   forward: Horner's rule along a run of pixels, h <- h w + m e^{-i dw t}, w = e^{-i step}: four
//            multiply-adds a pair
//   adjoint: sums over shots first, with w^i from shared memory, then the field's phase
// Work is split over inputs as in gdft_tiled.h. Without B.
#pragma once

#include "cuda/recon/field/gdft_parts.h"

namespace spokelab::gpu {

// in: pixels (forward) or samples (adjoint). out: receives the parts of the samples (forward) or
// pixels (adjoint). Arrays on the device; nothing waits.
void launchSharedForward(const GdftSampleArrays& samples, const GdftPixelArrays& pixels, const float2* in,
                         GdftSums& out, cudaStream_t stream);
void launchSharedAdjoint(const GdftSampleArrays& samples, const GdftPixelArrays& pixels, const float2* in,
                         GdftSums& out, cudaStream_t stream);

}  // namespace spokelab::gpu
