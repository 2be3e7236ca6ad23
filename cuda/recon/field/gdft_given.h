// Gdft and GdftR2 for pixels at given coordinates: one output a thread, inputs in tiles of shared
// memory. Work is split over inputs as in gdft_tiled.h.
#pragma once

#include "cuda/recon/field/gdft_arrays.h"

namespace spokelab::gpu {

// in: pixels (forward) or samples; out: the others, cleared before. modulated: with B. Arrays on
// the device; nothing waits.
void launchGivenForward(bool modulated, const GdftSampleArrays& samples, const GdftPixelArrays& pixels,
                        const float2* in, double2* out, cudaStream_t stream);
void launchGivenAdjoint(bool modulated, const GdftSampleArrays& samples, const GdftPixelArrays& pixels,
                        const float2* in, double2* out, cudaStream_t stream);

}  // namespace spokelab::gpu
