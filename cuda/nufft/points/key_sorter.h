// CUB's radix sort of 32-bit keys with the permutation, in memory that is lent where possible.
// Stable, so that results do not depend on timing.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "cuda/device/buffer.h"

namespace spokelab::gpu {

// Entries that a permutation holds room for after its last, so that pipelines may read ahead.
inline constexpr int sortPadding = 256;

// Device memory that its owner does not need until the work queued now has passed the stream.
struct Loan {
  void* data = nullptr;
  std::int64_t bytes = 0;
};

// Bytes of scratch that CUB asked for the last time: to ask takes as long as some kernels, and
// points are set again and again in the same number.
class ScratchBytes {
 public:
  template <class Ask>
  std::size_t of(std::int64_t count, int bits, Ask&& ask) {
    if (count != count_ || bits != bits_) bytes_ = ask();
    count_ = count;
    bits_ = bits;
    return bytes_;
  }

 private:
  std::int64_t count_ = -1;
  int bits_ = 0;
  std::size_t bytes_ = 0;
};

// The sort needs three arrays of 4 bytes a point beside the permutation; they are laid into memory
// that the caller fills only afterwards, and allocated where that is too small.
class KeySorter {
 public:
  // Device memory for the keys of `count` points and for the points' numbers. The caller writes
  // both before sort().
  struct Room {
    std::uint32_t *keys, *index;
  };
  // Use of the sorted numbers: they are the permutation, or they are kept beside it for a later
  // step that makes it.
  enum class Result { permutation, beside };
  // keys: how many different keys there can be, 0 ... keys - 1; they are compared above their
  // lowest `ignoredBits`. permutation must live until sort().
  Room room(std::int64_t count, std::int64_t keys, DeviceBuffer<std::uint32_t>& permutation,
            std::initializer_list<Loan> loans, Result result = Result::permutation, int ignoredBits = 0);
  // numbers()[p] = index of the p-th point in the caller's order, stable.
  void sort(cudaStream_t stream);
  // Keys and numbers in sorted order. Arrays other than the permutation last as long as the loans
  // are free.
  const std::uint32_t* sorted() const { return keys_[0]; }
  const std::uint32_t* numbers() const { return index_[0]; }
  std::int64_t memory() const;
  // Bytes beside loans of `lent` bytes a point.
  static std::int64_t estimate(std::int64_t count, std::int64_t lent);

 private:
  std::int64_t count_ = 0;
  int firstBit_ = 0, bits_ = 0;  // that are compared
  // The sorted array, then the other one that the radix passes alternate with.
  std::uint32_t *keys_[2] = {}, *index_[2] = {};
  DeviceBuffer<std::uint32_t> own_[3];
  DeviceBuffer<char> scratch_;
  ScratchBytes scratchBytes_;
};

// start[i] = first position in `sorted` whose key is >= i step, for i = 0 ... keys (so start[keys]
// = count).
void keyStarts(const std::uint32_t* sorted, std::int64_t count, std::int64_t keys, std::uint32_t* start,
               cudaStream_t stream, std::uint32_t step = 1);

}  // namespace spokelab::gpu
