#include "cuda/device/pinned_buffer.h"

#include "cuda/device/check.h"

namespace spokelab::gpu {

PinnedBuffer::PinnedBuffer(std::size_t bytes) : bytes_(bytes) {
  check(cudaHostAlloc(&data_, bytes, cudaHostAllocDefault), "allocating host memory");
}

PinnedBuffer::~PinnedBuffer() {
  cudaFreeHost(data_);
}

}  // namespace spokelab::gpu
