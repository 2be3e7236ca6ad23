// Streams and events that destroy themselves; failures of CUDA are thrown as Error. A cudaStream_t
// elsewhere is borrowed, from one of these or from the caller: never destroy it there.
#pragma once

#include <utility>

#include "cuda/device/check.h"

namespace spokelab::gpu {

// Work of a stream does not wait for CUDA's default stream, nor the other way round.
class Stream {
 public:
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  explicit Event(bool timed = true);
  ~Event();
  Event(Event&& o) noexcept : event_(std::exchange(o.event_, nullptr)) {}
  Event& operator=(Event&& o) noexcept {
    std::swap(event_, o.event_);
    return *this;
  }
  void record(cudaStream_t stream);
  void wait(cudaStream_t stream) const;           // `stream` waits for the event
  void synchronize() const;                       // the host waits
  bool isPast() const;                            // throws Error where the work before it failed
  double secondsSince(const Event& start) const;  // both recorded and passed

 private:
  cudaEvent_t event_ = nullptr;
};

// Waits until all work of `stream` is done; a kernel's failure appears here.
void synchronize(cudaStream_t stream);

}  // namespace spokelab::gpu
