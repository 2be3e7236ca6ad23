#include "cuda/device/device_pointer.h"

#include <string>

#include "cuda/device/check.h"
#include "engine/core/error.h"

namespace spokelab::gpu {

void requireDevicePointer(const void* pointer, const char* what) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, pointer), "looking at a pointer");
  if (attributes.type != cudaMemoryTypeUnregistered) return;
  throw Error("Cannot transform on the GPU",
              "the " + std::string(what) + " do not lie in the memory of a GPU",
              "Copy them there, or use the call for arrays in host memory");
}

}  // namespace spokelab::gpu
