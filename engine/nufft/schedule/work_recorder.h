// Writes a Timeline while threads spread, and the job's trace; without either it only runs the
// work.
#pragma once

#include <mutex>

#include "engine/core/measure/trace.h"
#include "engine/nufft/schedule/task_graph.h"
#include "engine/nufft/schedule/timeline.h"

namespace spokelab {

class WorkRecorder {
 public:
  // Several transforms may follow one another in a timeline. On one thread the graph has no tasks.
  WorkRecorder(Timeline* timeline, const GridLayout& layout, const TaskGraph& graph, int threads,
               std::int64_t points);
  ~WorkRecorder();  // puts the intervals in order
  WorkRecorder(const WorkRecorder&) = delete;
  WorkRecorder& operator=(const WorkRecorder&) = delete;

  template <class Work>
  void time(WorkKind kind, std::int64_t tile, std::int64_t points, const Work& work) {
    if (!timeline_ && !trace_) return work();
    const double begin = now();
    work();
    add(kind, tile, points, begin);
  }

 private:
  static double now();
  void add(WorkKind kind, std::int64_t tile, std::int64_t points, double begin);

  Timeline* timeline_;
  TraceRecorder* trace_;  // where the caller is the job's own thread, whose arena the tracks' threads are of
  const GridLayout& layout_;
  const TaskGraph& graph_;
  std::mutex mutex_;
  std::vector<WorkInterval> intervals_;
};

}  // namespace spokelab
