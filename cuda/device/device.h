// Which GPU there is, or why there is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cuda/nufft/method.h"
#include "engine/core/memory/memory_ceiling.h"

namespace spokelab::gpu {

struct DeviceInfo {
  std::string name;         // "NVIDIA H100 80GB HBM3"
  std::int64_t memory = 0;  // bytes in all
  std::string driver;       // "580.159.04", or the CUDA version it serves where it does not say
  std::string libraries;    // "CUDA 13.0, cuFFT 12.0.0"
  DeviceLimits limits;
};

/// Device 0. Where there is none: nullopt, and `reason` says why in a sentence a user can act on.
std::optional<DeviceInfo> findDevice(std::string& reason);

/// Bytes that can be allocated now.
std::int64_t freeMemory();

/// Copies one large array to another within the device's memory, by events. Throws Error (memory), Cancelled.
MemoryCeiling deviceCopyCeiling(const Progress& progress);

}  // namespace spokelab::gpu
