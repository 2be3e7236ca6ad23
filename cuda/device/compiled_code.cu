#include "cuda/device/compiled_code.h"

#include <cuda_runtime.h>

namespace spokelab::gpu {
namespace {

__global__ void nothing() {
}

}  // namespace

CompiledCode compiledCode() {
  cudaFuncAttributes attributes{};
  const cudaError_t found = cudaFuncGetAttributes(&attributes, nothing);
  if (found == cudaSuccess) return {attributes.ptxVersion, {}};
  cudaGetLastError();
  return {0, std::string(cudaGetErrorString(found)) +
                 "; build it with CMAKE_CUDA_ARCHITECTURES=native, or all-major"};
}

}  // namespace spokelab::gpu
