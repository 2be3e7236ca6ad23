// Copies arrays between host and device. Small arrays, and arrays in page-locked memory, take one
// copy in stream order. Large pageable arrays are copied in pieces through page-locked memory that
// several threads fill or empty, as a single thread (the driver's) reaches a fifth of what the bus
// can; when such a call returns, the host's array has been read, or written.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace spokelab::gpu {

// Throw Error (the GPU's).
void copyToDevice(void* device, const void* host, std::size_t bytes, cudaStream_t stream);
void copyToHost(void* host, const void* device, std::size_t bytes, cudaStream_t stream);

}  // namespace spokelab::gpu
