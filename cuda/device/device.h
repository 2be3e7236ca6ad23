// Finds a GPU, or the reason why this machine has no usable GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/core/progress.h"

namespace spokelab {
struct MemoryCeiling;
}  // namespace spokelab

namespace spokelab::gpu {

// The device's limits, for one thread block and in all.
struct DeviceLimits {
  int multiprocessors = 0;
  // Bytes, with the opt-in beyond 48 KB.
  int sharedPerBlock = 0;
  int sharedPerMultiprocessor = 0;  // bytes
  int l2Bytes = 0;
  int capability = 0;  // compute capability of device and code, the lower; as major * 10 + minor
};

struct DeviceInfo {
  int index = 0;            // as CUDA counts devices
  std::string name;         // "NVIDIA H100 80GB HBM3"
  std::int64_t memory = 0;  // bytes in all
  std::string driver;       // "580.159.04", or the CUDA version that it serves
  std::string libraries;    // "CUDA 13.0, cuFFT 12.0.0"
  DeviceLimits limits;
};

// "7.5" of 75.
std::string capabilityText(int capability);

// Starts device `index` and makes it the thread's current device. Without such a device: nullopt,
// and `reason` says why in a sentence that a user can act on.
std::optional<DeviceInfo> findDevice(std::string& reason, int index = 0);
// The number of devices; 0 also without a driver.
int deviceCount();

// Copies one large array to another within the current device's memory, by events. Throws Error
// (memory), Cancelled.
MemoryCeiling deviceCopyCeiling(const Progress& progress);

}  // namespace spokelab::gpu
