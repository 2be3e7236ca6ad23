#include "cuda/nufft/points/key_sorter.h"

#include <algorithm>
#include <vector>

#include <cub/device/device_radix_sort.cuh>

#include "cuda/device/launch.cuh"

namespace spokelab::gpu {
namespace {

__global__ void findStarts(const std::uint32_t* sorted, std::int64_t count, std::int64_t keys,
                           std::uint32_t* start, std::uint32_t step) {
  const std::int64_t i = globalThread();
  if (i > keys) return;
  std::int64_t low = 0, high = count;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (sorted[middle] < i * step)
      low = middle + 1;
    else
      high = middle;
  }
  start[i] = std::uint32_t(low);
}

// Number of bits that hold 0 ... keys - 1.
int keyBits(std::int64_t keys) {
  int bits = 1;
  while ((std::int64_t(1) << bits) < keys) ++bits;
  return bits;
}

// Passes of CUB's radix sort.
int passes(int bits) {
  constexpr int radixBits = 8;
  return (bits + radixBits - 1) / radixBits;
}

std::size_t radixScratch(std::int64_t count, int bits) {
  std::size_t bytes = 0;
  cub::DoubleBuffer<std::uint32_t> none;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, none, none, count, 0, bits), "planning a sort");
  return bytes;
}

}  // namespace

KeySorter::Room KeySorter::room(std::int64_t count, std::int64_t keys,
                                DeviceBuffer<std::uint32_t>& permutation, std::initializer_list<Loan> loans,
                                Result result, int ignoredBits) {
  constexpr std::int64_t alignment = 256;
  count_ = count;
  firstBit_ = ignoredBits;
  bits_ = std::max(1, keyBits(keys) - ignoredBits);
  std::vector<Loan> free(loans);
  DeviceBuffer<std::uint32_t>* next = own_;
  const auto array = [&](std::int64_t length) {
    const std::int64_t bytes =
        (length * std::int64_t(sizeof(std::uint32_t)) + alignment - 1) / alignment * alignment;
    for (Loan& loan : free)
      if (loan.bytes >= bytes) {
        char* const data = static_cast<char*>(loan.data);
        loan = {data + bytes, loan.bytes - bytes};
        return reinterpret_cast<std::uint32_t*>(data);
      }
    next->resize(length);
    return next++->data();
  };
  keys_[0] = array(count);
  keys_[1] = array(count);
  index_[1] = array(count);
  permutation.resize(count + sortPadding);
  index_[0] = permutation.data();
  if (result == Result::beside) std::swap(index_[0], index_[1]);
  // An even number of passes ends where it began.
  return {keys_[0], index_[passes(bits_) % 2]};
}

void KeySorter::sort(cudaStream_t stream) {
  if (count_ == 0) return;
  std::size_t bytes = scratchBytes_.of(count_, bits_, [&] { return radixScratch(count_, bits_); });
  scratch_.resize(std::int64_t(bytes));
  const int first = passes(bits_) % 2;
  cub::DoubleBuffer<std::uint32_t> keys(keys_[0], keys_[1]), index(index_[first], index_[1 - first]);
  check(cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, keys, index, count_, firstBit_,
                                        firstBit_ + bits_, stream),
        "sorting points");
  if (keys.Current() != keys_[0]) std::swap(keys_[0], keys_[1]);
  // CUB may take another number of passes than foreseen.
  if (index.Current() != index_[0])
    check(cudaMemcpyAsync(index_[0], index.Current(), std::size_t(count_) * sizeof(std::uint32_t),
                          cudaMemcpyDeviceToDevice, stream),
          "sorting points");
}

std::int64_t KeySorter::memory() const {
  return own_[0].bytes() + own_[1].bytes() + own_[2].bytes() + scratch_.bytes();
}

std::int64_t KeySorter::estimate(std::int64_t count, std::int64_t lent) {
  constexpr std::int64_t each = sizeof(std::uint32_t);
  constexpr int maxKeyBits = 8 * sizeof(std::uint32_t);
  const std::int64_t arrays = std::max<std::int64_t>(0, 3 - lent / each);
  return arrays * count * each + std::int64_t(radixScratch(count, maxKeyBits));
}

void keyStarts(const std::uint32_t* sorted, std::int64_t count, std::int64_t keys, std::uint32_t* start,
               cudaStream_t stream, std::uint32_t step) {
  findStarts<<<blocksFor(keys + 1), threadsPerBlock, 0, stream>>>(sorted, count, keys, start, step);
  checkLaunch("sorting points");
}

}  // namespace spokelab::gpu
