#include "cuda/nufft/points/counting_sort.h"

#include "cuda/nufft/points/counting_sort.cuh"

namespace spokelab::gpu {

KeyCounts CountingSorter::begin(std::int64_t count, std::int64_t keys, std::uint32_t* start, Loan loan,
                                cudaStream_t stream) {
  const std::int64_t bytes = 2 * count * std::int64_t(sizeof(std::uint32_t));
  if (loan.bytes < bytes) own_.resize(2 * count);
  auto* const ofPoints = loan.bytes < bytes ? own_.data() : static_cast<std::uint32_t*>(loan.data);
  const bool byBlock = keys < maxBlockSums;
  if (blocksDone_.size() == 0) {
    blocksDone_.resize(1);
    blocksDone_.zero(stream);
  }
  const std::int64_t held = counts_.bytes();
  counts_.resize(keys + 1);
  if (counts_.bytes() != held) clean_ = 0;
  if (clean_ < keys + 1) {
    counts_.zero(stream);
    clean_ = keys + 1;
  }
  if (!byBlock) clean_ = 0;
  return {counts_.data(), ofPoints, ofPoints + count, start, byBlock ? blocksDone_.data() : nullptr, keys};
}

void CountingSorter::addUp(const KeyCounts& counted, cudaStream_t stream) {
  if (!counted.blocksDone)
    sums_.run(counted.counts, counted.start, counted.keyCount + 1, "counting points", stream);
}

std::int64_t CountingSorter::memory() const {
  return counts_.bytes() + blocksDone_.bytes() + own_.bytes() + sums_.memory();
}

std::int64_t CountingSorter::estimate(std::int64_t count, std::int64_t keys) {
  return (2 * count + keys + 2) * std::int64_t(sizeof(std::uint32_t)) + ExclusiveSum::estimate(keys + 1);
}

}  // namespace spokelab::gpu
