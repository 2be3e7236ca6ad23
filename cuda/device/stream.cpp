#include "cuda/device/stream.h"

namespace spokelab::gpu {

Stream::Stream() {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
}

Stream::~Stream() {
  if (stream_) cudaStreamDestroy(stream_);
}

Event::Event(bool timed) {
  check(cudaEventCreateWithFlags(&event_, timed ? cudaEventDefault : cudaEventDisableTiming),
        "making an event");
}

Event::~Event() {
  if (event_) cudaEventDestroy(event_);
}

void Event::record(cudaStream_t stream) {
  check(cudaEventRecord(event_, stream), "recording an event");
}

void Event::wait(cudaStream_t stream) const {
  check(cudaStreamWaitEvent(stream, event_, 0), "waiting for an event");
}

void Event::synchronize() const {
  check(cudaEventSynchronize(event_), "computing");
}

bool Event::isPast() const {
  const cudaError_t state = cudaEventQuery(event_);
  if (state != cudaErrorNotReady) check(state, "computing");
  if (state != cudaSuccess) cudaGetLastError();  // no failure
  return state == cudaSuccess;
}

double Event::secondsSince(const Event& start) const {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start.event_, event_), "reading an event's time");
  return milliseconds * 1e-3;
}

void synchronize(cudaStream_t stream) {
  check(cudaStreamSynchronize(stream), "computing");
}

}  // namespace spokelab::gpu
