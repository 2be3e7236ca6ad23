#include "cuda/nufft/points/counting_sort.h"

#include <cub/device/device_scan.cuh>

#include "cuda/nufft/points/counting_sort.cuh"

namespace spokelab::gpu {
namespace {

std::size_t scanScratch(std::int64_t items) {
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, static_cast<const std::uint32_t*>(nullptr),
                                      static_cast<std::uint32_t*>(nullptr), items),
        "planning a scan");
  return bytes;
}

}  // namespace

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
  if (counted.blocksDone) return;
  const std::int64_t items = counted.keyCount + 1;
  std::size_t bytes = scratchBytes_.of(items, 0, [&] { return scanScratch(items); });
  scratch_.resize(std::int64_t(bytes));
  check(cub::DeviceScan::ExclusiveSum(scratch_.data(), bytes, counted.counts, counted.start, items, stream),
        "counting points");
}

std::int64_t CountingSorter::memory() const {
  return counts_.bytes() + blocksDone_.bytes() + own_.bytes() + scratch_.bytes();
}

std::int64_t CountingSorter::estimate(std::int64_t count, std::int64_t keys) {
  return (2 * count + keys + 2) * std::int64_t(sizeof(std::uint32_t)) + std::int64_t(scanScratch(keys + 1));
}

}  // namespace spokelab::gpu
