#include "cuda/nufft/tensor/tensor_launch.h"

#include <algorithm>

#include "cuda/device/check.h"

namespace spokelab::gpu {

int tensorBlocks(const void* kernel, int threads, int taskLimit) {
  int resident = 0, multiprocessors = 0, device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "asking for the device");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0),
        "asking for the occupancy");
  return std::max(1, std::min(taskLimit, tasksPerSlot * std::max(1, resident) * multiprocessors));
}

}  // namespace spokelab::gpu
