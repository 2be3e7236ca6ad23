// The default kernels of Gdft and GdftR2 on the regular grid: inputs in tiles of shared memory, two
// or four outputs a thread, the special function units' sine and cosine of reduced phases. Work is
// also split over inputs, to fill the device: partial sums meet by atomic additions, so that last
// bits may differ from run to run.
#pragma once

#include "cuda/recon/field/gdft_arrays.h"

namespace spokelab::gpu {

// in: pixels (forward) or samples; out: the others, cleared before. Arrays on the device; nothing
// waits.
void launchTiledForward(GdftForm form, const GdftSampleArrays& samples, const GdftPixelArrays& pixels,
                        const float2* in, double2* out, cudaStream_t stream);
void launchTiledAdjoint(GdftForm form, const GdftSampleArrays& samples, const GdftPixelArrays& pixels,
                        const float2* in, double2* out, cudaStream_t stream);

}  // namespace spokelab::gpu
