// Samples of coils on their way to the device's memory, coil after coil, while the host does other work.
#pragma once

#include <atomic>
#include <future>

#include "cuda/device/buffer.h"
#include "engine/core/array.h"

namespace spokelab::gpu {

class SentSamples {
 public:
  // host [coil, sample] stays until the end of this. Throws Error (memory).
  SentSamples(const cfloat* host, std::int64_t coils, std::int64_t samples);
  SentSamples(const SentSamples&) = delete;
  SentSamples& operator=(const SentSamples&) = delete;

  std::int64_t bytes() const { return values_.bytes(); }
  // The copy of number `i` of all, once its coil has arrived; null where it is none of them, or the way failed.
  const cfloat* at(std::int64_t i) const;

 private:
  void send(const cfloat* host, int device);

  std::int64_t coils_, samples_;
  DeviceBuffer<float2> values_;
  std::atomic<std::int64_t> arrived_{0};  // coils; a failure counts as the arrival of all
  std::atomic<bool> failed_{false};
  std::future<void> sending_;  // the last member: it ends before what it works on
};

}  // namespace spokelab::gpu
