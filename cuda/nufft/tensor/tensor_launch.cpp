#include "cuda/nufft/tensor/tensor_launch.h"

#include <algorithm>

#include "cuda/device/check.h"
#include "cuda/device/device_scope.h"

namespace spokelab::gpu {

int tensorBlocks(const void* kernel, int threads, int taskLimit, std::size_t sharedBytes) {
  int resident = 0, multiprocessors = 0;
  const int device = currentDevice();
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "asking for the device");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, sharedBytes),
        "asking for the occupancy");
  return std::max(1, std::min(taskLimit, tasksPerSlot * std::max(1, resident) * multiprocessors));
}

}  // namespace spokelab::gpu
