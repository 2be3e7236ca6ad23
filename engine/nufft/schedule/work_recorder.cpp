#include "engine/nufft/schedule/work_recorder.h"

#include <algorithm>

#include "engine/core/stage_timer.h"
#include "engine/core/thread_pool.h"

namespace spokelab {

// Tracks of threads belong to the arena of the job's own thread.
WorkRecorder::WorkRecorder(const GridLayout& layout, const TaskGraph& graph, int threads, std::int64_t points)
    : watched_(isWatched(SpanKind::work) && ownTrack() == 0), layout_(layout), graph_(graph) {
  if (!watched_) return;
  timeline_.scheduler = schedulerName(layout.edges[0].empty() ? Scheduler::tiles : Scheduler::graph);
  timeline_.threads = threads;
  timeline_.partitions = layout.tiles;
  timeline_.points = points;
}

WorkRecorder::~WorkRecorder() {
  if (!watched_) return;
  std::vector<WorkInterval>& pieces = timeline_.intervals;
  std::sort(pieces.begin(), pieces.end(),
            [](const WorkInterval& a, const WorkInterval& b) { return a.begin < b.begin; });
  for (const WorkInterval& i : pieces)
    tellSpan({.name = workKindName(i.kind),
              .kind = SpanKind::work,
              .track = 1 + i.thread,
              .begin = i.begin,
              .end = i.end});
  tellSpan({.name = stageNames[std::size_t(Stage::spread)], .kind = SpanKind::work, .timeline = &timeline_});
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
  timeline_.intervals.push_back(interval);
}

}  // namespace spokelab
