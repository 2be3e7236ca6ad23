// Covariance of the coils' samples, and their mixtures, by cuBLAS.
#pragma once

#include <memory>

#include "cuda/recon/coils/espirit_maps.h"
#include "cuda/recon/coils/followed_samples.h"
#include "engine/recon/coils/coil_mixer.h"

namespace spokelab::gpu {

// tools: outlive the mixer, which takes nothing where cuBLAS cannot be loaded. followed: likewise;
// samples that are there need not be sent.
std::shared_ptr<CoilMixer> makeCoilMixer(CalibrationTools& tools, FollowedSamples& followed);

}  // namespace spokelab::gpu
