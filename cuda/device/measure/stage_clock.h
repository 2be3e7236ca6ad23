// Times the stages of one execution by CUDA events: mark() ends the interval since the mark before
// and books it. Where this thread's job is traced (engine/core/measure/trace.h), the intervals become
// spans of the device's track, and each call waits for its end. Without both it does nothing.
#pragma once

#include <vector>

#include "cuda/device/stream.h"
#include "engine/core/measure/trace.h"
#include "engine/core/stage_timer.h"

namespace spokelab::gpu {

// Events that are used again from call to call.
class EventPool {
 public:
  Event& at(std::size_t i) {
    while (events_.size() <= i) events_.emplace_back(true);
    return events_[i];
  }

 private:
  std::vector<Event> events_;
};

class StageClock {
 public:
  StageClock(StageTimings* timings, EventPool& pool, cudaStream_t stream);
  // The work since the last mark was `stage`, and moved at least `bytes` (0: not counted).
  void mark(Stage stage, double bytes);
  // Waits for the stream, fills in the timings, adds the spans.
  void finish();

 private:
  bool runs() const { return timings_ || trace_; }
  struct Mark {
    Stage stage;
    double bytes;
  };
  StageTimings* timings_;
  TraceRecorder* trace_;
  EventPool& pool_;
  cudaStream_t stream_;
  std::vector<Mark> marks_;
};

}  // namespace spokelab::gpu
