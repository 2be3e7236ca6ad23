// Checks that a caller's arrays are in memory that kernels can use.
#pragma once

namespace spokelab::gpu {

// Throws Error where `pointer` is neither memory of a device nor host memory that CUDA knows: a
// kernel that reads it could end the device's context. `what` completes "the <what> do not lie
// ...". Costs a fraction of a microsecond and waits for nothing.
void requireDevicePointer(const void* pointer, const char* what);

}  // namespace spokelab::gpu
