// Memory for variable-length values that HDF5 loads: one block of a size known beforehand. An array
// that does not fit fails the read instead of filling the machine.
#pragma once

#include <hdf5.h>

#include <cstddef>

#include "engine/core/array.h"

namespace spokelab {

class Hdf5Arena {
 public:
  // Room for `arrays` arrays of `bytes` in all: own memory, or the caller's, aligned as malloc's.
  Hdf5Arena(std::size_t bytes, std::size_t arrays)
      : ownBlocks_(blocksFor(bytes, arrays)), memory_(ownBlocks_.data()), size_(ownBlocks_.size()) {}
  Hdf5Arena(void* memory, std::size_t bytes)
      : memory_(static_cast<Block*>(memory)), size_(bytes / sizeof(Block)) {}
  Hdf5Arena(const Hdf5Arena&) = delete;
  Hdf5Arena& operator=(const Hdf5Arena&) = delete;

  // Upper bound of the memory that such an arena takes.
  static std::size_t bytesFor(std::size_t bytes, std::size_t arrays) {
    return blocksFor(bytes, arrays) * sizeof(Block);
  }

  void attach(hid_t transferProperties) {
    H5Pset_vlen_mem_manager(transferProperties, allocate, this, release, nullptr);
  }
  bool exhausted() const { return exhausted_; }

 private:
  using Block = std::max_align_t;

  static std::size_t blocksFor(std::size_t bytes, std::size_t arrays) {
    return bytes / sizeof(Block) + arrays + 1;
  }
  static void* allocate(std::size_t bytes, void* self) { return static_cast<Hdf5Arena*>(self)->take(bytes); }
  static void release(void*, void*) {}
  void* take(std::size_t bytes) {
    const std::size_t blocks = bytes / sizeof(Block) + (bytes % sizeof(Block) != 0);
    if (blocks > size_ - used_) {
      exhausted_ = true;
      return nullptr;
    }
    void* p = memory_ + used_;
    used_ += blocks;
    return p;
  }

  Buffer<Block> ownBlocks_;
  Block* memory_;
  std::size_t size_, used_ = 0;
  bool exhausted_ = false;
};

}  // namespace spokelab
