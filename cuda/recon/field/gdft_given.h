// Gdft and GdftR2 for pixels at given coordinates: one output a thread, inputs in tiles of shared
// memory. Work is split over inputs as in gdft_tiled.h.
#pragma once

#include "cuda/recon/field/gdft_parts.h"

namespace spokelab::gpu {

// in: pixels (forward) or samples; out: takes the parts of the others. modulated: with B. Arrays on
// the device; nothing waits.
void launchGivenForward(bool modulated, const GdftSampleArrays& samples, const GdftPixelArrays& pixels,
                        const float2* in, GdftSums& out, cudaStream_t stream);
void launchGivenAdjoint(bool modulated, const GdftSampleArrays& samples, const GdftPixelArrays& pixels,
                        const float2* in, GdftSums& out, cudaStream_t stream);

}  // namespace spokelab::gpu
