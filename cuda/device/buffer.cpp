#include "cuda/device/buffer.h"

namespace spokelab::gpu {

DeviceMemory::DeviceMemory(std::size_t bytes) {
  reserve(bytes);
}

DeviceMemory::~DeviceMemory() {
  release();
}

void DeviceMemory::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return;
  release();
  check(cudaMalloc(&data_, bytes), "allocating GPU memory");
  bytes_ = bytes;
}

void DeviceMemory::release() {
  if (data_) cudaFree(data_);
  data_ = nullptr;
  bytes_ = 0;
}

}  // namespace spokelab::gpu
