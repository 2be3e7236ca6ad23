// Memory for variable-length values that HDF5 loads: one block of a size known beforehand. An array that does
// not fit fails the read instead of filling the machine.
#pragma once

#include <hdf5.h>

#include <cstddef>

#include "engine/core/array.h"

namespace spokelab {

class Hdf5Arena {
 public:
  Hdf5Arena(std::size_t bytes, std::size_t arrays) : memory_(bytes / sizeof(Block) + arrays + 1) {}

  void attach(hid_t transferProperties) {
    H5Pset_vlen_mem_manager(transferProperties, allocate, this, release, nullptr);
  }
  bool exhausted() const { return exhausted_; }

 private:
  using Block = std::max_align_t;

  static void* allocate(std::size_t bytes, void* self) { return static_cast<Hdf5Arena*>(self)->take(bytes); }
  static void release(void*, void*) {}
  void* take(std::size_t bytes) {
    const std::size_t blocks = bytes / sizeof(Block) + (bytes % sizeof(Block) != 0);
    if (blocks > memory_.size() - used_) {
      exhausted_ = true;
      return nullptr;
    }
    void* p = memory_.data() + used_;
    used_ += blocks;
    return p;
  }

  Buffer<Block> memory_;
  std::size_t used_ = 0;
  bool exhausted_ = false;
};

}  // namespace spokelab
