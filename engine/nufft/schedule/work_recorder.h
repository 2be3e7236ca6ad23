// Collects the pieces of work of the threads that spread together. The thread that made the
// recorder tells them as spans when it ends. Where nobody listens it only runs the work.
#pragma once

#include <mutex>

#include "engine/nufft/schedule/task_graph.h"
#include "engine/nufft/schedule/timeline.h"

namespace spokelab {

class WorkRecorder {
 public:
  // On one thread the graph has no tasks.
  WorkRecorder(const GridLayout& layout, const TaskGraph& graph, int threads, std::int64_t points);
  ~WorkRecorder();  // puts the pieces in order, and tells them
  WorkRecorder(const WorkRecorder&) = delete;
  WorkRecorder& operator=(const WorkRecorder&) = delete;

  template <class Work>
  void time(WorkKind kind, std::int64_t tile, std::int64_t points, const Work& work) {
    if (!watched_) return work();
    const double begin = now();
    work();
    add(kind, tile, points, begin);
  }

 private:
  void add(WorkKind kind, std::int64_t tile, std::int64_t points, double begin);

  const bool watched_;
  const GridLayout& layout_;
  const TaskGraph& graph_;
  std::mutex mutex_;
  Timeline timeline_;
};

}  // namespace spokelab
