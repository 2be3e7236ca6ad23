// Times the stages of one execution by CUDA events: mark() ends the interval since the mark before
// and books it. Where this thread's job is traced (engine/core/measure/trace.h), the intervals
// become spans of the device's track, and each call waits for its end. Where only a StageLog of
// this thread is there, the stages go to it, and nothing waits. Without all three it does nothing.
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

// Times between events of a stream, read when somebody asks: an event costs the host a microsecond,
// and nothing waits for it.
class StageLog {
 public:
  // Records an event; its number, which holds until read().
  std::size_t record(cudaStream_t stream);
  std::size_t events() const { return count_; }
  // The time between two events is added to `seconds` by read().
  void add(std::size_t begin, std::size_t end, double& seconds) { laps_.push_back({begin, end, &seconds}); }
  // Waits for the last event, and forgets all of them.
  void read();

  StageTimings stages;  // of the executions, as far as they were read

 private:
  struct Lap {
    std::size_t begin, end;
    double* seconds;
  };
  EventPool pool_;
  std::size_t count_ = 0;
  std::vector<Lap> laps_;
};

// Makes a log the one of this thread's executions; null: none has them.
class StageLogScope {
 public:
  explicit StageLogScope(StageLog* log) noexcept;
  ~StageLogScope();
  StageLogScope(const StageLogScope&) = delete;
  StageLogScope& operator=(const StageLogScope&) = delete;

 private:
  StageLog* before_;
};

class StageClock {
 public:
  StageClock(StageTimings* timings, EventPool& pool, cudaStream_t stream);
  // Records none.
  StageClock(EventPool& pool, cudaStream_t stream)
      : timings_(nullptr), trace_(nullptr), log_(nullptr), pool_(pool), stream_(stream) {}
  // True if a clock made now, with these timings, records events.
  static bool isWatched(const StageTimings* timings);
  // The work since the last mark was `stage`, and moved at least `bytes` (0: not counted).
  void mark(Stage stage, double bytes);
  // A multiply with a transfer function is part of the FFT's kernels.
  void multiplyInFft() { multiplyInFft_ = true; }
  // Waits for the stream, fills in the timings, adds the spans.
  void finish();

 private:
  // Waits for its events.
  bool waits() const { return timings_ || trace_; }
  struct Mark {
    Stage stage;
    double bytes;
  };
  StageTimings* timings_;
  TraceRecorder* trace_;
  StageLog* log_;
  std::size_t logged_ = 0;  // the log's last event
  bool multiplyInFft_ = false;
  EventPool& pool_;
  cudaStream_t stream_;
  std::vector<Mark> marks_;
};

}  // namespace spokelab::gpu
