// Spans of a job: which part of it ran when, for a time line that other programs show (trace_json.h).
// A thread records while a TraceScope of a recorder lives on it; timers of stages then add a span
// each (stage_timer.h, job_account.h), and no function between has to hand a recorder on.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace spokelab {

enum class SpanKind {
  job,        // a stage of the job's account
  iteration,  // of a method that iterates
  transform,  // a stage of a transform, or a part of a job's stage
  work,       // a thread's piece of a transform's stage
  device      // a stage of a transform on a GPU, on the track of its stream
};
std::string_view spanKindName(SpanKind kind);

inline constexpr int deviceTrack = 1 << 20;  // of a GPU's stream

struct TraceSpan {
  std::string name;
  SpanKind kind = SpanKind::job;
  int track = 0;              // 0: the job's own thread; from 1 on: a thread of the pool; deviceTrack
  double begin = 0, end = 0;  // seconds of now()
};

struct Trace {
  double begin = 0, end = 0;     // of the whole job
  std::vector<TraceSpan> spans;  // by begin; those that contain others come before them
  std::int64_t dropped = 0;      // pieces of work beyond TraceRecorder::maxSpans
};

class TraceRecorder {
 public:
  static constexpr std::size_t maxSpans = 400'000;  // some 30 MB

  TraceRecorder();  // the job begins
  void add(std::string_view name, SpanKind kind, double begin, double end, int track = 0);
  Trace take();  // the job ends

 private:
  std::mutex mutex_;
  Trace trace_;
};

// The recorder of this thread; null: none.
TraceRecorder* activeTrace() noexcept;

// Adds a span of the job's own thread to this thread's trace, where there is one.
void traceSpan(std::string_view name, SpanKind kind, double begin, double end);

// Makes a recorder this thread's; null: nothing is recorded until the scope ends.
class TraceScope {
 public:
  explicit TraceScope(TraceRecorder* recorder) noexcept;
  ~TraceScope();
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  TraceRecorder* before_;
};

}  // namespace spokelab
