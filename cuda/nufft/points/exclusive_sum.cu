#include "cuda/nufft/points/exclusive_sum.h"

#include <cub/device/device_scan.cuh>

#include "cuda/nufft/points/counting_sort.cuh"

namespace spokelab::gpu {
namespace {

// Sums in one launch; CUB needs two.
__global__ void __launch_bounds__(countThreads)
    sumFewItems(const std::uint32_t* __restrict__ from, std::uint32_t* __restrict__ to, int items) {
  sumByBlock<fewSumRows>(
      items, [&](int i) { return from[i]; }, [&](int i, std::uint32_t sum) { to[i] = sum; });
}

}  // namespace

std::int64_t ExclusiveSum::estimate(std::int64_t items) {
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, static_cast<const std::uint32_t*>(nullptr),
                                      static_cast<std::uint32_t*>(nullptr), items),
        "planning a scan");
  return std::int64_t(bytes);
}

void ExclusiveSum::run(const std::uint32_t* from, std::uint32_t* to, std::int64_t items, const char* what,
                       cudaStream_t stream) {
  if (items <= fewBlockSums) {
    sumFewItems<<<1, countThreads, 0, stream>>>(from, to, int(items));
    return checkLaunch(what);
  }
  std::size_t bytes = scratchBytes_.of(items, 0, [&] { return std::size_t(estimate(items)); });
  scratch_.resize(std::int64_t(bytes));
  check(cub::DeviceScan::ExclusiveSum(scratch_.data(), bytes, from, to, items, stream), what);
}

}  // namespace spokelab::gpu
