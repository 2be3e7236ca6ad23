// The order in which partitions are spread ([multicore-nufft] III.B.2 to III.B.4), made when points
// are set.
//
// A task is a partition. Its turn joins the lowest bits of the partition's index in each dimension
// that has more than one partition; turns follow in the order of a Gray code, in which one bit
// changes at a time. A task waits for its neighbours of the turn before: at most two, in the
// dimension whose bit changes. Through them it waits for all neighbours of earlier turns, corners
// included. So tasks that share a cell never run at once, and always run in the same order: results
// repeat bit by bit for every timing of the threads.
//
// A task of more than M / (T 2^(d+1)) points is privatised (eq. 6; T threads, d dimensions with
// turns): its points are spread into a private copy of the partition, which waits for no turn; in
// its turn only the copy is added. 2^d tasks of this size, one in each turn, make half a thread's
// share.
//
// Four differences from the paper, as a copy costs time and memory. Tasks are privatised, heaviest
// first, only if their row of turns has more than half a thread's share. A task with few points for
// its cells is not privatised. A task of more than a quarter of a thread's share is cut into
// several copies. All copies together have at most copyCellLimit() cells: the number of the grid's
// cells or of the points, whichever is larger, and up to eight times this number for wide kernels,
// whose sums take far longer than adding a copy. A small grid has few tasks, and all of them may
// then be cut.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "engine/nufft/points/grid_layout.h"
#include "engine/nufft/problem/options.h"

namespace spokelab {

struct GraphTask {
  std::int64_t points = 0;
  int turn = 0;  // place in the Gray order
  int predecessors = 0;
  std::int32_t predecessor[2] = {-1, -1}, successor[2] = {-1, -1};  // -1: none
  std::int64_t firstCopy = 0, copies = 0;
};

struct GraphCopy {
  std::int64_t task = 0;
  std::int64_t begin = 0, end = 0;  // points, counted from the first of the scan
};

// Cells that all copies may take together.
std::int64_t copyCellLimit(const GridLayout& layout, std::int64_t points);
// An estimate for tiles of one size, made before points are set: the same, but no more than the
// cells of the copies that `threads` threads can call for.
std::int64_t copyCellLimit(const GridLayout& layout, std::int64_t points, int threads);

class TaskGraph {
 public:
  // tileBegin: points before each partition, [partitions + 1]. cells(partition): of its copy.
  template <class Cells>
  void build(const GridLayout& layout, std::span<const std::int64_t> tileBegin, const SchedulerChoice& choice,
             int threads, const Cells& cells) {
    makeTasks(layout, tileBegin);
    copies_.clear();
    if (!choice.has(SchedulerPart::copies)) return;
    for (const std::int64_t task : heavyTasks(threads)) {
      const std::int64_t each = cells(task), left = copyCellLimit(layout, points_) - copyCells(cells);
      if (each > maxCellsPerPoint * tasks_[static_cast<std::size_t>(task)].points) continue;
      if (pointsInRow(task) <= points_ / (2 * std::max(1, threads))) continue;
      if (each <= left) cut(task, tileBegin, std::min(copiesOf(task, threads), left / each));
    }
  }

  const std::vector<GraphTask>& tasks() const { return tasks_; }
  const std::vector<GraphCopy>& copies() const { return copies_; }
  int turns() const { return turns_; }

 private:
  // A copy with more cells a point is not made: adding it would take half the time of its points.
  static constexpr std::int64_t maxCellsPerPoint = 16;

  void makeTasks(const GridLayout& layout, std::span<const std::int64_t> tileBegin);
  std::vector<std::int64_t> heavyTasks(int threads) const;  // over the threshold, heaviest first
  // Points in the longest row of tasks through this one in which each waits for the one before,
  // privatised tasks left out.
  std::int64_t pointsInRow(std::int64_t task) const;
  std::int64_t longest(std::int64_t task, bool forwards) const;
  std::int64_t copiesOf(std::int64_t task, int threads) const;
  void cut(std::int64_t task, std::span<const std::int64_t> tileBegin, std::int64_t copies);
  template <class Cells>
  std::int64_t copyCells(const Cells& cells) const {
    std::int64_t sum = 0;
    for (const GraphCopy& copy : copies_) sum += cells(copy.task);
    return sum;
  }

  std::vector<GraphTask> tasks_;
  std::vector<GraphCopy> copies_;
  std::int64_t points_ = 0;
  int turns_ = 1;
};

}  // namespace spokelab
