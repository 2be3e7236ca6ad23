// engine/recon/functional/wavelet_pass.h on the device: arrays in device memory, work on the
// space's stream.
#pragma once

#include "cuda/recon/operators/device_space.h"
#include "engine/recon/functional/wavelet_pass.h"

namespace spokelab::gpu {

void waveletPass(const DeviceSpace& space, const WaveletPass& pass, cfloat* values, cfloat* room);

}  // namespace spokelab::gpu
