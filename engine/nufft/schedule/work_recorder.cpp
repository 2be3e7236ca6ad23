#include "engine/nufft/schedule/work_recorder.h"

#include <algorithm>
#include <set>

#include "engine/core/measure/trace_work.h"
#include "engine/core/stage_timer.h"
#include "engine/core/thread_pool.h"

namespace spokelab {

WorkRecorder::WorkRecorder(Timeline* timeline, const GridLayout& layout, const TaskGraph& graph, int threads,
                           std::int64_t points)
    : timeline_(timeline),
      trace_(ownTrack() == 0 && tracesWork() ? activeTrace() : nullptr),
      layout_(layout),
      graph_(graph) {
  if (!timeline_) return;
  timeline_->scheduler = schedulerName(layout.edges[0].empty() ? Scheduler::tiles : Scheduler::graph);
  timeline_->threads = threads;
  timeline_->partitions = layout.tiles;
  timeline_->points = points;
}

WorkRecorder::~WorkRecorder() {
  if (trace_)
    for (const WorkInterval& i : intervals_)
      trace_->add(workKindName(i.kind), SpanKind::work, i.begin, i.end, 1 + i.thread);
  if (!timeline_ || intervals_.empty()) return;
  std::sort(intervals_.begin(), intervals_.end(),
            [](const WorkInterval& a, const WorkInterval& b) { return a.begin < b.begin; });
  const double shift = timeline_->seconds() - intervals_.front().begin;
  for (WorkInterval& i : intervals_) {
    i.begin += shift;
    i.end += shift;
  }
  timeline_->intervals.insert(timeline_->intervals.end(), intervals_.begin(), intervals_.end());
  std::set<int> workers;
  for (const WorkInterval& i : timeline_->intervals) workers.insert(i.thread);
  timeline_->workers = static_cast<int>(workers.size());
}

double WorkRecorder::now() {
  return spokelab::now();
}

void WorkRecorder::add(WorkKind kind, std::int64_t tile, std::int64_t points, double started) {
  WorkInterval interval;
  interval.end = now();
  interval.begin = started;
  interval.thread = currentWorker();
  interval.kind = kind;
  interval.partition = tile;
  interval.position = layout_.tilePosition(tile);
  const Index3 begin = layout_.tileBegin(tile), size = layout_.tileSize(tile);
  for (std::size_t d = 0; d < std::size_t(layout_.dims); ++d)
    interval.cells[d] = std::min(size[d], layout_.grid[d] - begin[d]);
  interval.turn = graph_.tasks().empty() ? 0 : graph_.tasks()[static_cast<std::size_t>(tile)].turn;
  interval.points = points;
  const std::lock_guard lock(mutex_);
  intervals_.push_back(interval);
}

}  // namespace spokelab
