// CUB's exclusive sums of counts. The object keeps its scratch memory between runs: one stream at a
// time.
#pragma once

#include <cstdint>

#include "cuda/device/buffer.h"
#include "cuda/nufft/points/key_sorter.h"

namespace spokelab::gpu {

class ExclusiveSum {
 public:
  // to[i] = from[0] + ... + from[i - 1] for i < items, device memory. what: named in errors.
  void run(const std::uint32_t* from, std::uint32_t* to, std::int64_t items, const char* what,
           cudaStream_t stream);
  std::int64_t memory() const { return scratch_.bytes(); }
  static std::int64_t estimate(std::int64_t items);  // bytes

 private:
  DeviceBuffer<char> scratch_;
  ScratchBytes scratchBytes_;
};

}  // namespace spokelab::gpu
