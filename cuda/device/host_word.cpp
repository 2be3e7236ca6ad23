#include "cuda/device/host_word.h"

#include "cuda/device/check.h"

namespace spokelab::gpu {

HostWord::HostWord() {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, sizeof(std::uint32_t), cudaHostAllocMapped), "allocating host memory");
  word_ = static_cast<std::uint32_t*>(memory);
  set(0);
}

HostWord::~HostWord() {
  cudaFreeHost(word_);
}

}  // namespace spokelab::gpu
