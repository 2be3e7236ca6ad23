// Times the stages of one execution by CUDA events: mark() ends the interval since the mark before
// and makes it a span (engine/core/measure/spans.h) of the device's track. If somebody listens to
// such spans, each call waits for its end. If this thread has a StageLog alone, the stages are put
// into it, and nothing waits. Without both it does nothing.
#pragma once

#include <vector>

#include "cuda/device/stream.h"
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
  // Records an event and returns its number, which is valid until read().
  std::size_t record(cudaStream_t stream);
  std::size_t events() const { return count_; }
  // The time between two events is added to `seconds` by read().
  void add(std::size_t begin, std::size_t end, double& seconds) { laps_.push_back({begin, end, &seconds}); }
  // Adds the seconds and bytes of a stage that are known without events.
  void add(Stage stage, double seconds, double bytes) {
    stages[stage] += seconds;
    stages.bytes[std::size_t(stage)] += bytes;
  }
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

// Makes `log` the StageLog of this thread while the object lives, then the log from before. null:
// the thread has no log meanwhile.
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
  // watched: false for a clock that does nothing, even if somebody listens.
  StageClock(EventPool& pool, cudaStream_t stream, bool watched = true);
  // True if a clock made now records events.
  static bool isWatched();
  // True if somebody listens to spans: finish() then waits for the events.
  bool waits() const { return waits_; }
  // The work since the last mark was `stage`, and moved at least `bytes` (0: not counted).
  void mark(Stage stage, double bytes);
  // Notes that the FFT's kernels include the multiplication with a transfer function.
  void multiplyInFft() { multiplyInFft_ = true; }
  // If somebody listens: waits for the stream and reports a span for each mark.
  void finish();

 private:
  struct Mark {
    Stage stage;
    double bytes;
  };
  const bool waits_;
  StageLog* const log_;
  std::size_t logged_ = 0;  // the log's last event
  bool multiplyInFft_ = false;
  EventPool& pool_;
  cudaStream_t stream_;
  std::vector<Mark> marks_;
};

}  // namespace spokelab::gpu
