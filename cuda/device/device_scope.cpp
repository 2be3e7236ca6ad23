#include "cuda/device/device_scope.h"

#include "cuda/device/check.h"

namespace spokelab::gpu {

int currentDevice() {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  return device;
}

void useDevice(int device) {
  check(cudaSetDevice(device), "choosing the device");
}

DeviceScope::DeviceScope(int device) noexcept {
  cudaGetDevice(&before_);
  if (before_ != device) cudaSetDevice(device);
}

DeviceScope::~DeviceScope() {
  int device = 0;
  cudaGetDevice(&device);
  if (before_ != device) cudaSetDevice(before_);
}

}  // namespace spokelab::gpu
