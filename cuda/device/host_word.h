// A number in page-locked host memory that kernels write, so that the host reads it after an event
// and waits for no copy.
#pragma once

#include <cstdint>
#include <utility>

namespace spokelab::gpu {

class HostWord {
 public:
  HostWord();
  ~HostWord();
  HostWord(const HostWord&) = delete;
  HostWord& operator=(const HostWord&) = delete;

  // The word's address for kernels.
  std::uint32_t* data() const { return word_; }
  // The word's value for the host, valid while no kernel that writes it is queued.
  std::uint32_t value() const { return *static_cast<volatile std::uint32_t*>(word_); }
  void set(std::uint32_t value) { *static_cast<volatile std::uint32_t*>(word_) = value; }

 private:
  std::uint32_t* word_ = nullptr;
};

}  // namespace spokelab::gpu
