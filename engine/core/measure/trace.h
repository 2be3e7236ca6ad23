// The trace: which part of a job ran when, for a time line that other programs show (trace_json.h).
// It keeps the spans (spans.h) of the threads that it listens on.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/measure/spans.h"

namespace spokelab {

std::string_view spanKindName(SpanKind kind);

// The job's thread has track 0, and the pool's threads have the tracks from 1 on. Further tracks
// are for the GPUs' streams, and for the threads that lead ranks where several GPUs divide a job.
inline constexpr int rankTrack = 1 << 19;    // rank n > 0 has track rankTrack + n, rank 0 has 0
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

class TraceRecorder final : public SpanListener {
 public:
  // Pieces of work are dropped beyond this number of spans, some 30 MB, and stages of transforms
  // beyond twice the number. Spans of other kinds are always kept.
  static constexpr std::size_t maxSpans = 400'000;

  TraceRecorder();  // the job begins
  void add(std::string_view name, SpanKind kind, double begin, double end, int track = ownTrack());
  void nameTrack(int track, std::string name);
  Trace take();  // the job ends

  SpanKinds hears() const override {
    return kindsOf(SpanKind::job, SpanKind::iteration, SpanKind::transform, SpanKind::work, SpanKind::device);
  }
  void ended(const SpanRecord& span) override;
  TraceRecorder* trace() override { return this; }

 private:
  std::mutex mutex_;
  Trace trace_;
};

}  // namespace spokelab
