// Gdft and GdftR2 for pixels at given coordinates: one output a thread, inputs in tiles of shared
// memory. Work is split over inputs as in gdft_tiled.h.
#pragma once

#include "cuda/recon/field/gdft_parts.h"

namespace spokelab::gpu {

// in: pixels (forward) or samples (adjoint). out: receives the parts of the samples (forward) or
// pixels (adjoint). form: with B, with phases of second order, or without. Arrays on the device;
// nothing waits.
void launchGivenForward(GdftForm form, const GdftSampleArrays& samples, const GdftPixelArrays& pixels,
                        const float2* in, GdftSums& out, cudaStream_t stream);
void launchGivenAdjoint(GdftForm form, const GdftSampleArrays& samples, const GdftPixelArrays& pixels,
                        const float2* in, GdftSums& out, cudaStream_t stream);

}  // namespace spokelab::gpu
