// Samples that came to the device while their file was read (engine/recon/prepare/samples_ahead.h),
// kept for the job that takes them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/device/buffer.h"
#include "cuda/recon/coils/arriving_array.h"
#include "engine/recon/prepare/samples_ahead.h"

namespace spokelab::gpu {

// The samples of one slice and frame of a scan, [coil, sample].
class FollowedArray final : public ArrivingArray {
 public:
  FollowedArray(std::shared_ptr<const Scan> scan, int frame, int slice);
  std::int64_t bytes() const override { return bytes_.bytes(); }
  const void* at(std::int64_t i) const override;

  // True if this array has the samples at `host`, or waits for them. False after a failed copy, and
  // once the scan is gone: its memory may then hold other samples.
  bool copies(const cfloat* host, std::int64_t coils, std::int64_t samples) const;
  std::byte* data() const { return bytes_.data(); }
  // Tells that `samples` more samples have arrived.
  void add(std::int64_t samples);
  // Tells that no more samples will arrive: an incomplete array has failed.
  void end();

 private:
  enum class State { coming, here, failed };
  void become(State state);

  std::weak_ptr<const Scan> scan_;
  const cfloat* host_;
  std::int64_t coils_, samples_, left_;
  DeviceBuffer<std::byte> bytes_;
  std::atomic<State> state_{State::coming};
};

class FollowedSamples {
 public:
  void keep(std::vector<std::shared_ptr<FollowedArray>> arrays);  // in place of others
  // Hands the array of these samples to the caller; null without such an array.
  std::shared_ptr<const FollowedArray> take(const cfloat* host, std::int64_t coils, std::int64_t samples);

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<FollowedArray>> arrays_;
};

// store: gets what it receives, and outlives it.
std::unique_ptr<SampleReceiver> makeSampleReceiver(FollowedSamples& store);

}  // namespace spokelab::gpu
