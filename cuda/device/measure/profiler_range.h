// A named range on the time line of Nsight Systems and other profilers that read NVTX, from
// construction to destruction; without such a profiler it costs a few nanoseconds.
#pragma once

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define SPOKELAB_HAS_NVTX 1
#endif

namespace spokelab::gpu {

class ProfilerRange {
 public:
#ifdef SPOKELAB_HAS_NVTX
  explicit ProfilerRange(const char* name) {
    nvtxRangePushA(name);
  }
  ~ProfilerRange() {
    nvtxRangePop();
  }
#else
  explicit ProfilerRange(const char* /*name*/) {
  }
  ~ProfilerRange() = default;
#endif
  ProfilerRange(const ProfilerRange&) = delete;
  ProfilerRange& operator=(const ProfilerRange&) = delete;
};

}  // namespace spokelab::gpu
