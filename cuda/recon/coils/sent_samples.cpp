#include "cuda/recon/coils/sent_samples.h"

#include "cuda/device/device_scope.h"
#include "cuda/device/stream.h"
#include "engine/core/error.h"

namespace spokelab::gpu {

SentSamples::SentSamples(const cfloat* host, std::int64_t coils, std::int64_t samples)
    : coils_(coils), samples_(samples), values_(coils * samples) {
  const int device = currentDevice();  // for the thread that sends
  sending_ = std::async(std::launch::async, [this, host, device] { send(host, device); });
}

const cfloat* SentSamples::at(std::int64_t i) const {
  if (i < 0 || i >= coils_ * samples_) return nullptr;
  const std::int64_t coil = i / samples_;
  for (std::int64_t here = arrived_.load(); here <= coil; here = arrived_.load()) arrived_.wait(here);
  return failed_ ? nullptr : reinterpret_cast<const cfloat*>(values_.data()) + i;
}

void SentSamples::send(const cfloat* host, int device) {
  try {
    useDevice(device);
    const Stream stream;
    for (std::int64_t c = 0; c < coils_; ++c) {
      copyToDevice(values_.data() + c * samples_, host + c * samples_, std::size_t(samples_) * sizeof(float2),
                   stream.get());
      synchronize(stream.get());
      arrived_ = c + 1;
      arrived_.notify_all();
    }
  } catch (const Error&) {  // whoever needs the samples copies them, and meets the error
    failed_ = true;
    arrived_ = coils_;
    arrived_.notify_all();
  }
}

}  // namespace spokelab::gpu
