// Device functions of the sort by counting (counting_sort.h), for kernels that make the keys of
// their points themselves.
#pragma once

#include "cuda/nufft/points/counting_sort.h"

namespace spokelab::gpu {

// Sum over the lanes up to this one.
template <class T>
__device__ __forceinline__ T sumUpTo(T mine, int lane) {
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const T other = __shfl_up_sync(~0u, mine, step);
    if (lane >= step) mine += other;
  }
  return mine;
}

// Values that one thread keeps while its block adds them up.
inline constexpr int maxSumRows = 32;
inline constexpr int maxBlockSums = maxSumRows * countThreads;
// Up to this number of rows, a kernel instantiated for exactly these Rows is several times faster.
inline constexpr int fewSumRows = 4;
inline constexpr int fewBlockSums = fewSumRows * countThreads;

// One block of countThreads threads: store(i, value(0) + ... + value(i - 1)) for i < count <= Rows
// * countThreads. A warp adds rows of 32 values, so that reads and writes are coalesced; all rows
// are unrolled, so that their reads do not wait for each other.
template <int Rows = maxSumRows, class Value, class Store>
__device__ __forceinline__ void sumByBlock(int count, Value&& value, Store&& store) {
  __shared__ std::uint32_t ofWarp[countThreads / 32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  const int rows = (count + countThreads - 1) / countThreads, first = warp * rows * 32 + lane;
  std::uint32_t own[Rows], sum = 0;
#pragma unroll
  for (int r = 0; r < Rows; ++r) own[r] = r < rows && first + r * 32 < count ? value(first + r * 32) : 0;
#pragma unroll
  for (int r = 0; r < Rows; ++r)
    if (r < rows) {
      const std::uint32_t upTo = sumUpTo(own[r], lane);
      own[r] = sum + upTo - own[r];
      sum += __shfl_sync(~0u, upTo, 31);
    }
  if (lane == 0) ofWarp[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const std::uint32_t mine = ofWarp[lane];
    ofWarp[lane] = sumUpTo(mine, lane) - mine;
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < Rows; ++r)
    if (r < rows && first + r * 32 < count) store(first + r * 32, ofWarp[warp] + own[r]);
}

// Counts point j, with all lanes of the warp; `exists` is false beyond the last point. Lanes of one
// key add once: points that follow each other often share it.
__device__ __forceinline__ void countPoint(const KeyCounts& c, std::int64_t j, std::uint32_t key,
                                           bool exists) {
  const int lane = threadIdx.x & 31;
  const unsigned same = __match_any_sync(~0u, exists ? key : ~0u);
  const int leader = __ffs(int(same)) - 1;
  std::uint32_t before = 0;
  if (exists && lane == leader) before = atomicAdd(c.counts + key, std::uint32_t(__popc(same)));
  before = __shfl_sync(~0u, before, leader);
  if (!exists) return;
  c.keys[j] = key;
  c.numbers[j] = before + std::uint32_t(__popc(same & ((1u << lane) - 1)));
}

// Ends a kernel that counts, for all threads of all blocks: the last block to come here adds up the
// counts and clears them for the next points.
__device__ __forceinline__ void addUpInLastBlock(const KeyCounts& c) {
  if (!c.blocksDone) return;
  __shared__ bool isLast;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) isLast = atomicAdd(c.blocksDone, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!isLast) return;
  __threadfence();
  sumByBlock(
      int(c.keyCount) + 1, [&](int i) { return __ldcg(c.counts + i); },
      [&](int i, std::uint32_t sum) {
        c.start[i] = sum;
        c.counts[i] = 0;
      });
  if (threadIdx.x == 0) *c.blocksDone = 0;
}

}  // namespace spokelab::gpu
