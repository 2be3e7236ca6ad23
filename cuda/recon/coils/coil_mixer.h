// Covariance of the coils' samples, and their mixtures, by cuBLAS.
#pragma once

#include <memory>

#include "cuda/recon/coils/espirit_maps.h"
#include "cuda/recon/coils/followed_samples.h"
#include "engine/recon/coils/coil_mixer.h"

namespace spokelab::gpu {

// tools and followed outlive the mixer. takes() is false where cuBLAS cannot be loaded. Samples
// that `followed` has are not sent again.
std::shared_ptr<CoilMixer> makeCoilMixer(CalibrationTools& tools, FollowedSamples& followed);

}  // namespace spokelab::gpu
