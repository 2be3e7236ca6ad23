#include "cuda/nufft/points/tasks.h"

#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/counting_sort.cuh"
#include "cuda/nufft/points/interval.cuh"

namespace spokelab::gpu {
namespace {

// Number of tasks of bin b: 0 if it has at most `skipUpToPoints` points, and for the bin after the
// last, b == bins.
__device__ __forceinline__ std::uint32_t tasksOf(const std::uint32_t* binStart, std::int64_t bins,
                                                 std::int64_t b, std::uint32_t maxPoints,
                                                 std::uint32_t skipUpToPoints) {
  const std::uint32_t points = b == bins ? 0 : binStart[b + 1] - binStart[b];
  return points > skipUpToPoints ? (points + maxPoints - 1) / maxPoints : 0;
}

__global__ void countTasks(const std::uint32_t* binStart, std::int64_t bins, std::uint32_t maxPoints,
                           std::uint32_t skipUpToPoints, std::uint32_t* counts) {
  const std::int64_t b = globalThread();
  if (b <= bins) counts[b] = tasksOf(binStart, bins, b, maxPoints, skipUpToPoints);
}

// For few bins: one block counts, adds up and writes the tasks. Each thread handles its bins.
__global__ void __launch_bounds__(countThreads)
    makeTasks(const std::uint32_t* binStart, int bins, std::uint32_t maxPoints, std::uint32_t skipUpToPoints,
              std::uint32_t* first, Task* tasks) {
  const auto countOf = [&](int b) { return tasksOf(binStart, bins, b, maxPoints, skipUpToPoints); };
  const auto writeTasks = [&](int b, std::uint32_t sum) {
    first[b] = sum;
    const std::uint32_t own = countOf(b);
    for (std::uint32_t i = 0; i < own; ++i) {
      const std::uint32_t begin = binStart[b] + i * maxPoints;
      tasks[sum + i] = {std::uint32_t(b), begin, min(begin + maxPoints, binStart[b + 1])};
    }
  };
  if (bins < fewBlockSums)
    sumByBlock<fewSumRows>(bins + 1, countOf, writeTasks);
  else
    sumByBlock(bins + 1, countOf, writeTasks);
}

// One thread a task.
__global__ void fillTasks(const std::uint32_t* binStart, const std::uint32_t* first, std::int64_t bins,
                          std::uint32_t maxPoints, Task* tasks) {
  const std::uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= first[bins]) return;
  const std::int64_t b = intervalOf(first, bins, t);
  const std::uint32_t begin = binStart[b] + (t - first[b]) * maxPoints;
  tasks[t] = {std::uint32_t(b), begin, min(begin + maxPoints, binStart[b + 1])};
}

// Above this number, separate launches write the tasks faster than one block.
constexpr std::int64_t maxBlockTasks = 4096;

}  // namespace

// An upper bound of the number of tasks: each bin that is not skipped has a last task that need not
// be full, and there are at most points / maxPoints full ones.
std::int64_t TaskList::limitFor(std::int64_t bins, std::int64_t points, int maxPoints,
                                std::int64_t skipUpToPoints) {
  return std::min(bins, points / (skipUpToPoints + 1)) + points / maxPoints;
}

std::int64_t TaskList::estimate(std::int64_t bins, std::int64_t points, int maxPoints,
                                std::int64_t skipUpToPoints) {
  constexpr std::int64_t scanBytes = 1 << 16;  // allowance for the scratch memory of ExclusiveSum
  return limitFor(bins, points, maxPoints, skipUpToPoints) * std::int64_t(sizeof(Task)) +
         2 * (bins + 1) * std::int64_t(sizeof(std::uint32_t)) + scanBytes;
}

void TaskList::build(const std::uint32_t* binStart, std::int64_t bins, std::int64_t points, int maxPoints,
                     cudaStream_t stream, std::int64_t skipUpToPoints) {
  bins_ = bins;
  skipUpToPoints_ = skipUpToPoints;
  maxPoints_ = maxPoints;
  limit_ = limitFor(bins, points, maxPoints, skipUpToPoints);
  tasks_.resize(std::max<std::int64_t>(limit_, 1));
  first_.resize(bins + 1);
  if (bins < maxBlockSums && limit_ <= maxBlockTasks) {
    makeTasks<<<1, countThreads, 0, stream>>>(binStart, int(bins), std::uint32_t(maxPoints),
                                              std::uint32_t(skipUpToPoints), first_.data(), tasks_.data());
    return checkLaunch("making tasks");
  }
  counts_.resize(bins + 1);
  countTasks<<<blocksFor(bins + 1), threadsPerBlock, 0, stream>>>(
      binStart, bins, std::uint32_t(maxPoints), std::uint32_t(skipUpToPoints), counts_.data());
  checkLaunch("making tasks");
  sums_.run(counts_.data(), first_.data(), bins + 1, "making tasks", stream);
  if (limit_ == 0) return;
  fillTasks<<<blocksFor(limit_), threadsPerBlock, 0, stream>>>(binStart, first_.data(), bins,
                                                               std::uint32_t(maxPoints), tasks_.data());
  checkLaunch("making tasks");
}

TaskRange TaskList::range(std::int64_t first, std::int64_t count, std::int64_t points) const {
  return {tasks_.data(), first_.data() + first, first_.data() + first + count,
          unsigned(limitFor(count, points, maxPoints_, skipUpToPoints_))};
}

}  // namespace spokelab::gpu
