// CUDA and cuFFT report failures by codes; here they become spokelab::Error.
#pragma once

#include <cuda_runtime.h>
#include <cufft.h>

#include <cstdint>

namespace spokelab::gpu {

// Throws Error where `code` is not success. `doing` completes "the GPU failed while ...", e.g.
// "sorting points". Running out of memory names the remedy (smaller batch, memory limit, less
// oversampling) and leaves the device usable: the error is cleared from the runtime.
void check(cudaError_t code, const char* doing);
void check(cufftResult code, const char* doing);

// After a kernel launch: the launch's own error, if any.
void checkLaunch(const char* doing);

// Throws Error: a kernel's shared memory, in bytes, is more than a block of the current device has.
[[noreturn]] void refuseShared(std::int64_t heldBytes, std::int64_t askedBytes);

}  // namespace spokelab::gpu
