#include "engine/nufft/schedule/task_graph.h"

#include <algorithm>
#include <bit>

namespace spokelab {

namespace {

unsigned grayCode(unsigned n) {
  return n ^ n >> 1;
}

// The rank of a code in the order of Gray codes.
unsigned grayRank(unsigned code) {
  unsigned rank = 0;
  for (; code; code >>= 1) rank ^= code;
  return rank;
}

constexpr std::int64_t copiesOfShare = 4;  // for each thread

}  // namespace

std::int64_t copyCellLimit(const GridLayout& layout, std::int64_t points) {
  // Zeroing and adding a cell takes as long as a few sums. Kernels of up to ten cells in 3-D keep
  // the smaller limit, and the memory of their plans.
  constexpr std::int64_t sumsPerCell = 512, most = 8;
  std::int64_t sumsPerPoint = 1;
  for (int d = 0; d < layout.dims; ++d) sumsPerPoint *= layout.halo[static_cast<std::size_t>(d)] + 1;
  return std::max(layout.cells, points) * std::clamp<std::int64_t>(sumsPerPoint / sumsPerCell, 1, most);
}

std::int64_t copyCellLimit(const GridLayout& layout, std::int64_t points, int threads) {
  std::int64_t each = 1;
  for (int d = 0; d < layout.dims; ++d) {
    const auto at = static_cast<std::size_t>(d);
    each *= layout.tile[at] + layout.halo[at];
  }
  // Tasks over the threshold, and the cuts of those that hold several shares.
  const std::int64_t copies = std::int64_t{threads} * ((std::int64_t{2} << layout.dims) + copiesOfShare);
  return std::min(copyCellLimit(layout, points), copies * each);
}

void TaskGraph::makeTasks(const GridLayout& layout, std::span<const std::int64_t> tileBegin) {
  int axis[3] = {}, bits = 0;  // dimensions that give a bit
  for (int d = 0; d < layout.dims; ++d)
    if (layout.tiles[static_cast<std::size_t>(d)] > 1) axis[bits++] = d;
  turns_ = 1 << bits;
  const std::int64_t stride[3] = {1, layout.tiles[0], layout.tiles[0] * layout.tiles[1]};
  tasks_.assign(static_cast<std::size_t>(layout.tileCount()), {});
  points_ = tileBegin.back();
  for (std::int64_t t = 0; t < layout.tileCount(); ++t) {
    GraphTask& task = tasks_[static_cast<std::size_t>(t)];
    task.points = tileBegin[static_cast<std::size_t>(t) + 1] - tileBegin[static_cast<std::size_t>(t)];
    const Index3 at = layout.tilePosition(t);
    unsigned code = 0;
    for (int b = 0; b < bits; ++b)
      code |= static_cast<unsigned>(at[static_cast<std::size_t>(axis[b])] & 1) << b;
    task.turn = static_cast<int>(grayRank(code));
    // Visits the neighbours in the dimension of the bit that changes.
    const auto neighbours = [&](unsigned changed, auto visit) {
      const auto d = static_cast<std::size_t>(axis[std::countr_zero(changed)]);
      if (at[d] > 0) visit(t - stride[d]);
      if (at[d] + 1 < layout.tiles[d]) visit(t + stride[d]);
    };
    if (task.turn > 0)
      neighbours(code ^ grayCode(static_cast<unsigned>(task.turn) - 1), [&](std::int64_t other) {
        task.predecessor[task.predecessors++] = static_cast<std::int32_t>(other);
      });
    int next = 0;
    if (task.turn + 1 < turns_)
      neighbours(code ^ grayCode(static_cast<unsigned>(task.turn) + 1),
                 [&](std::int64_t other) { task.successor[next++] = static_cast<std::int32_t>(other); });
  }
}

std::vector<std::int64_t> TaskGraph::heavyTasks(int threads) const {
  std::vector<std::int64_t> heavy;
  const double threshold =
      static_cast<double>(points_) / (static_cast<double>(std::max(1, threads)) * 2.0 * turns_);
  for (std::size_t t = 0; t < tasks_.size(); ++t)
    if (static_cast<double>(tasks_[t].points) > threshold) heavy.push_back(static_cast<std::int64_t>(t));
  std::stable_sort(heavy.begin(), heavy.end(), [&](std::int64_t a, std::int64_t b) {
    return tasks_[static_cast<std::size_t>(a)].points > tasks_[static_cast<std::size_t>(b)].points;
  });
  return heavy;
}

std::int64_t TaskGraph::longest(std::int64_t at, bool forwards) const {
  const GraphTask& task = tasks_[static_cast<std::size_t>(at)];
  std::int64_t rest = 0;
  for (const std::int32_t next : forwards ? task.successor : task.predecessor)
    if (next >= 0) rest = std::max(rest, longest(next, forwards));
  return rest + (task.copies > 0 ? 0 : task.points);
}

std::int64_t TaskGraph::pointsInRow(std::int64_t task) const {
  return longest(task, true) + longest(task, false) - tasks_[static_cast<std::size_t>(task)].points;
}

std::int64_t TaskGraph::copiesOf(std::int64_t task, int threads) const {
  const std::int64_t maxCopies = std::max(1, threads);
  const std::int64_t share = std::max<std::int64_t>(1, points_ / (copiesOfShare * maxCopies));
  const std::int64_t points = tasks_[static_cast<std::size_t>(task)].points;
  return std::clamp<std::int64_t>((points + share - 1) / share, 1, maxCopies);
}

void TaskGraph::cut(std::int64_t task, std::span<const std::int64_t> tileBegin, std::int64_t copies) {
  GraphTask& cutTask = tasks_[static_cast<std::size_t>(task)];
  const std::int64_t begin = tileBegin[static_cast<std::size_t>(task)];
  cutTask.firstCopy = static_cast<std::int64_t>(copies_.size());
  cutTask.copies = copies;
  for (std::int64_t i = 0; i < copies; ++i)
    copies_.push_back({task, begin + cutTask.points * i / copies, begin + cutTask.points * (i + 1) / copies});
}

}  // namespace spokelab
