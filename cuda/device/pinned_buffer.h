// Page-locked host memory, which the device copies from and to directly, without the driver's
// staging buffer. Making one takes milliseconds: keep it.
#pragma once

#include <cstddef>

namespace spokelab::gpu {

class PinnedBuffer {
 public:
  // Throws Error (memory).
  explicit PinnedBuffer(std::size_t bytes);
  ~PinnedBuffer();
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  std::byte* data() const { return static_cast<std::byte*>(data_); }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace spokelab::gpu
