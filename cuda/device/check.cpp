#include "cuda/device/check.h"

#include <string>

#include "engine/core/error.h"

namespace spokelab::gpu {
namespace {

[[noreturn]] void fail(const char* doing, const std::string& reason, const std::string& remedy) {
  throw Error("The GPU failed while " + std::string(doing), reason, remedy);
}

// After an error of a kernel or of the hardware every further call of this process fails.
bool deviceIsLost() {
  const bool lost = cudaDeviceSynchronize() != cudaSuccess;
  cudaGetLastError();
  return lost;
}

}  // namespace

void check(cudaError_t code, const char* doing) {
  if (code == cudaSuccess) return;
  // Clears errors that do not destroy the context, such as out of memory.
  cudaGetLastError();
  if (code == cudaErrorMemoryAllocation)
    fail(doing, "not enough GPU memory",
         "Use less oversampling, fewer points or single precision, set a memory limit, or use the CPU");
  fail(doing, std::string(cudaGetErrorString(code)) + " (" + cudaGetErrorName(code) + ")",
       deviceIsLost() ? "This program cannot use the GPU any more: use the CPU backend, "
                        "or start the program again; if it fails again, report it"
                      : "Run it again; if it fails again, use the CPU backend and report it");
}

void check(cufftResult code, const char* doing) {
  if (code == CUFFT_SUCCESS) return;
  if (code == CUFFT_ALLOC_FAILED)
    fail(doing, "not enough GPU memory for the FFT", "Use less oversampling or the CPU");
  fail(doing, "cuFFT error " + std::to_string(int(code)), "Use the CPU backend and report it");
}

void checkLaunch(const char* doing) {
  check(cudaGetLastError(), doing);
}

void refuseShared(std::int64_t heldBytes, std::int64_t askedBytes) {
  cudaGetLastError();
  int device = 0, limit = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  fail("reserving shared memory",
       "a kernel holds " + std::to_string(heldBytes) + " bytes and asks for " + std::to_string(askedBytes) +
           " more; a block of this device has " + std::to_string(limit),
       "Use the CPU backend and report it");
}

}  // namespace spokelab::gpu
