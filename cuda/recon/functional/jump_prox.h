// engine/recon/functional/jump_prox.h on the device: arrays in device memory, work on the space's
// stream.
#pragma once

#include "cuda/recon/operators/device_space.h"
#include "engine/recon/functional/jump_prox.h"

namespace spokelab::gpu {

void jumpProx(const DeviceSpace& space, const JumpProx& prox, cfloat* values, cfloat* dual, cfloat* room,
              cfloat* roots);

}  // namespace spokelab::gpu
