// Spans of a job: which part of it ran when, for a time line that other programs show
// (trace_json.h). A thread records while a TraceScope of a recorder lives on it; timers of stages
// then add a span each (stage_timer.h, job_account.h), and no function between has to hand a
// recorder on.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace spokelab {

enum class SpanKind {
  job,        // a stage of the job's account, a plan that is timed, a case of a study or suite
  iteration,  // of a method that iterates
  transform,  // a stage of a transform, or a part of a job's stage
  work,       // a thread's piece of a transform's stage
  device      // a stage of a transform on a GPU, on the track of its stream
};
std::string_view spanKindName(SpanKind kind);

// Tracks beside the job's thread (0) and the pool's threads (from 1 on): the GPUs' streams, and the
// leading threads if several GPUs divide a job.
inline constexpr int rankTrack = 1 << 19;    // rank 0's, which is the job's thread instead
inline constexpr int deviceTrack = 1 << 20;  // GPU 0's; GPU n has track deviceTrack + n
inline bool isDeviceTrack(int track) {
  return track >= deviceTrack;
}

struct TraceSpan {
  std::string name;
  SpanKind kind = SpanKind::job;
  int track = 0;
  double begin = 0, end = 0;  // seconds of now()
};

struct Trace {
  double begin = 0, end = 0;         // of the whole job
  std::vector<TraceSpan> spans;      // by begin; those that contain others come before them
  std::int64_t dropped = 0;          // pieces of work, and stages, beyond the limits
  std::map<int, std::string> names;  // names of tracks, if they have one
};

// The track of this thread's spans.
int ownTrack() noexcept;

class TraceRecorder {
 public:
  static constexpr std::size_t maxSpans = 400'000;  // some 30 MB; twice for stages of transforms

  TraceRecorder();  // the job begins
  void add(std::string_view name, SpanKind kind, double begin, double end, int track = ownTrack());
  void nameTrack(int track, std::string name);
  Trace take();  // the job ends

 private:
  std::mutex mutex_;
  Trace trace_;
};

// The recorder of this thread; null: none.
TraceRecorder* activeTrace() noexcept;

// Adds a span of this thread to this thread's trace, where there is one.
void traceSpan(std::string_view name, SpanKind kind, double begin, double end);

// Makes a recorder this thread's, and a track its own; null: nothing is recorded until the scope
// ends.
class TraceScope {
 public:
  explicit TraceScope(TraceRecorder* recorder, int track = 0) noexcept;
  ~TraceScope();
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  TraceRecorder* before_;
  int trackBefore_;
};

}  // namespace spokelab
