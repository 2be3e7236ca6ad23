// The threads' work while one transform spread its samples: which thread worked on which partition
// (or tile) when. A view of the spans (core/measure/spans.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/measure/spans.h"

namespace spokelab {

enum class WorkKind {
  spread,          // straight into the grid
  spreadIntoCopy,  // into a private copy of the partition
  reduction        // copies added to the grid
};
constexpr std::string_view workKindName(WorkKind kind) {
  return kind == WorkKind::spread ? "spread" : kind == WorkKind::spreadIntoCopy ? "private" : "reduction";
}

struct WorkInterval {
  int thread = 0;
  WorkKind kind = WorkKind::spread;
  std::int64_t partition = 0;
  Index3 position{0, 0, 0};   // of the partition, in partitions
  Index3 cells{1, 1, 1};      // of the partition
  int turn = 0;               // of the task graph; 0 on one thread
  std::int64_t points = 0;    // in this piece of work
  double begin = 0, end = 0;  // seconds from the first interval's begin
};

struct Timeline {
  std::string scheduler;  // "tiles", "graph"
  std::string plan;       // its description, where known
  int threads = 0;        // threads that the plan may use
  int workers = 0;        // threads that took part
  Index3 partitions{1, 1, 1};
  std::int64_t points = 0;
  std::vector<WorkInterval> intervals;  // by begin

  double seconds() const;  // from the first begin to the last end
  double busy() const;     // seconds that threads worked, over threads x seconds()
};

// Keeps the work of this thread's transforms while it lives. Several may follow one another.
class TimelineRecorder final : public SpanListener {
 public:
  explicit TimelineRecorder(Timeline& timeline) : timeline_(timeline), scope_(this) {}
  SpanKinds hears() const override { return kindsOf(SpanKind::work); }
  void ended(const SpanRecord& span) override;

 private:
  Timeline& timeline_;
  const SpanScope scope_;
};

// "graph of 7x7x7 partitions, 12 of them private, on 2 of 2 threads: 55.1 ms, threads 97 % busy"
std::string timelineText(const Timeline& timeline);
std::string timelineToJson(const Timeline& timeline);

}  // namespace spokelab
