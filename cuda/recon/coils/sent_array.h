// Copies an array to the device piece after piece, in a thread, while the host does other work.
#pragma once

#include <atomic>
#include <cstddef>
#include <future>

#include "cuda/device/buffer.h"
#include "cuda/recon/coils/arriving_array.h"

namespace spokelab::gpu {

class SentArray final : public ArrivingArray {
 public:
  // host [piece, byte] must outlive this object. Throws Error (memory).
  SentArray(const void* host, std::int64_t pieces, std::int64_t pieceBytes);
  SentArray(const SentArray&) = delete;
  SentArray& operator=(const SentArray&) = delete;

  std::int64_t bytes() const override { return bytes_.bytes(); }
  // Device address of byte i, once its piece has arrived (waits for it). Null: outside, or the copy
  // failed; copy the array yourself then, which throws the error.
  const void* at(std::int64_t i) const override;

 private:
  void send(const std::byte* host, int device);

  std::int64_t pieces_, pieceBytes_;
  DeviceBuffer<std::byte> bytes_;
  std::atomic<std::int64_t> arrived_{0};  // pieces; a failure counts as the arrival of all
  std::atomic<bool> failed_{false};
  std::future<void> sending_;  // last member, so that it ends before the others are freed
};

}  // namespace spokelab::gpu
