#include "cuda/device/measure/span_ranges.h"

#include "engine/core/measure/spans.h"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define SPOKELAB_HAS_NVTX 1
#endif

namespace spokelab::gpu {

void showSpansToProfilers() {
#ifdef SPOKELAB_HAS_NVTX
  static constexpr SpanProfiler nvtx{[](const char* name) { nvtxRangePushA(name); }, [] { nvtxRangePop(); }};
  setSpanProfiler(&nvtx);
#endif
}

}  // namespace spokelab::gpu
