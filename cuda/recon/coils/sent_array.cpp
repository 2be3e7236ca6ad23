#include "cuda/recon/coils/sent_array.h"

#include "cuda/device/device_scope.h"
#include "cuda/device/stream.h"
#include "engine/core/error.h"

namespace spokelab::gpu {

SentArray::SentArray(const void* host, std::int64_t pieces, std::int64_t pieceBytes)
    : pieces_(pieces), pieceBytes_(pieceBytes), bytes_(pieces * pieceBytes) {
  const int device = currentDevice();  // for the thread that sends
  sending_ = std::async(std::launch::async,
                        [this, host, device] { send(static_cast<const std::byte*>(host), device); });
}

const void* SentArray::at(std::int64_t i) const {
  if (i < 0 || i >= pieces_ * pieceBytes_) return nullptr;
  const std::int64_t piece = i / pieceBytes_;
  for (std::int64_t here = arrived_.load(); here <= piece; here = arrived_.load()) arrived_.wait(here);
  return failed_ ? nullptr : bytes_.data() + i;
}

void SentArray::send(const std::byte* host, int device) {
  try {
    useDevice(device);
    const Stream stream;
    for (std::int64_t p = 0; p < pieces_; ++p) {
      copyToDevice(bytes_.data() + p * pieceBytes_, host + p * pieceBytes_, std::size_t(pieceBytes_),
                   stream.get());
      synchronize(stream.get());
      arrived_ = p + 1;
      arrived_.notify_all();
    }
  } catch (const Error&) {  // whoever needs the array copies it, and meets the error
    failed_ = true;
    arrived_ = pieces_;
    arrived_.notify_all();
  }
}

}  // namespace spokelab::gpu
