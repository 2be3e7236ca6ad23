// The default kernels of Gdft and GdftR2 on the regular grid: inputs in tiles of shared memory, two
// or four outputs a thread, the special function units' sine and cosine of reduced phases. Work is
// also split over inputs, to fill the device (gdft_parts.h).
#pragma once

#include "cuda/recon/field/gdft_parts.h"

namespace spokelab::gpu {

// in: pixels (forward) or samples (adjoint). out: receives the parts of the samples (forward) or
// pixels (adjoint). Arrays on the device; nothing waits.
void launchTiledForward(GdftForm form, const GdftSampleArrays& samples, const GdftPixelArrays& pixels,
                        const float2* in, GdftSums& out, cudaStream_t stream);
void launchTiledAdjoint(GdftForm form, const GdftSampleArrays& samples, const GdftPixelArrays& pixels,
                        const float2* in, GdftSums& out, cudaStream_t stream);

}  // namespace spokelab::gpu
