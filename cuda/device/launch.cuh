// Launching kernels: block counts, shared memory beyond 48 KB, and the instances over kernel
// widths.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cuda/device/check.h"
#include "engine/core/error.h"

namespace spokelab::gpu {

// Threads of a block where a kernel has no reason for another number.
inline constexpr int threadsPerBlock = 256;

// Number of this thread in a one-dimensional grid of blocks.
__device__ __forceinline__ std::int64_t globalThread() {
  return std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
}

// Blocks that cover `count` items with one thread each. Throws Error beyond CUDA's largest grid.
inline unsigned blocksFor(std::int64_t count, int threads = threadsPerBlock) {
  const std::int64_t blocks = (count + threads - 1) / threads;
  if (blocks > INT32_MAX)
    throw Error("The GPU cannot start the computation", "too many items", "Use the CPU backend");
  return unsigned(std::max<std::int64_t>(blocks, 1));
}

// Bytes of shared memory that `kernel` holds statically, beside what a launch asks for; 0 without a
// device.
template <class Kernel>
std::int64_t sharedHeldBy(Kernel kernel) {
  cudaFuncAttributes attributes{};
  if (cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return std::int64_t(attributes.sharedSizeBytes);
}

// Lets `kernel` use `bytes` of dynamic shared memory. More than 48 KB, static shared memory
// included, has to be asked for. Throws Error where a block of the device has less than the
// kernel's static and dynamic memory together.
template <class Kernel>
void allowShared(Kernel kernel, std::size_t bytes) {
  // Leaves 16 KB for what the kernel holds statically.
  constexpr std::size_t maxUnaskedBytes = 32 * 1024;
  if (bytes <= maxUnaskedBytes) return;
  const cudaError_t code = cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                                cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  if (code == cudaErrorInvalidValue) refuseShared(sharedHeldBy(kernel), std::int64_t(bytes));
  check(code, "reserving shared memory");
}

// Calls f.template operator()<Dims, Cells>() with Cells = cells if this is from First to Last, else
// with Cells = 0.
template <int Dims, int First, int Last, class F>
void dispatchCellsFrom(int cells, F& f) {
  if constexpr (First > Last)
    f.template operator()<Dims, 0>();
  else if (cells == First)
    f.template operator()<Dims, First>();
  else
    dispatchCellsFrom<Dims, First + 1, Last>(cells, f);
}

// Calls f.template operator()<Dims, Cells>(). cells: ceil(W); each value from 2 to MaxOwn has an
// instance in 2-D and 3-D; all other cases take loops with run-time bounds (Cells = 0), which keeps
// the number of kernels, and the compile time, small.
template <int MaxOwn = 8, class F>
void dispatchCells(int dims, int cells, F&& f) {
  if (dims == 1)
    f.template operator()<1, 0>();
  else if (dims == 2)
    dispatchCellsFrom<2, 2, MaxOwn>(cells, f);
  else
    dispatchCellsFrom<3, 2, MaxOwn>(cells, f);
}

}  // namespace spokelab::gpu
