// Asks NVIDIA's management library (NVML, part of every driver). It is loaded only for the
// question.
#pragma once

#include <string>
#include <vector>

#include "engine/core/device_state.h"

namespace spokelab::gpu {

// "580.159.04", or empty.
std::string managedDriverVersion();

// All devices, as CUDA counts them, without starting any. Where the library is missing, their load
// and free memory are not known.
std::vector<DeviceState> managedDevices();

}  // namespace spokelab::gpu
