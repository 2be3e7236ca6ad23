// The program's spans (engine/core/measure/spans.h) as named ranges on the time line of Nsight
// Systems and other profilers that read NVTX; without such a profiler a range costs a few
// nanoseconds.
#pragma once

namespace spokelab::gpu {

// For the rest of the process. Does nothing where the module was built without NVTX.
void showSpansToProfilers();

}  // namespace spokelab::gpu
