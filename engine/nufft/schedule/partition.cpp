#include "engine/nufft/schedule/partition.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/thread_pool.h"

namespace spokelab {

namespace {

// Cells of whole cache lines in x, in either precision.
constexpr std::int64_t cacheLineCells = 8;
// This number of points, and less than twice it, is counted of a larger set: it suffices for widths
// that divide all points evenly.
constexpr std::int64_t minCountedPoints = 1 << 18;
// Points that one thread counts at least, of a histogram made in parallel.
constexpr std::int64_t minPointsPerPart = 1 << 14;
// Partitions of one turn for each thread.
constexpr std::int64_t readyPerThread = 8;
// A larger histogram is made by one thread: a copy for each thread would take too much memory.
constexpr std::int64_t maxSharedHistogramCells = 1 << 16;

// Picks point i of every `step` points. Pseudo-random within each step, so that sampling cannot
// alias with the readout length.
std::int64_t pick(std::int64_t i, std::int64_t step) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
  const auto turn = static_cast<std::uint64_t>(i) * odd >> 32;
  return i * step + static_cast<std::int64_t>(turn * static_cast<std::uint64_t>(step) >> 32);
}

std::int64_t roundUpTo(std::int64_t n, std::int64_t step) {
  return (n + step - 1) / step * step;
}

}  // namespace

std::vector<std::int64_t> partitionEdges(std::span<const std::int64_t> cumulative,
                                         const PartitionRule& rule) {
  const auto cells = static_cast<std::int64_t>(cumulative.size()) - 1;
  const std::int64_t partitions = std::max<std::int64_t>(1, rule.partitions);
  const double share = static_cast<double>(cumulative.back()) / static_cast<double>(partitions);
  const std::int64_t evenWidth = roundUpTo((cells + partitions - 1) / partitions, rule.step);
  const std::int64_t maxCells =
      rule.maxCells > 0 ? std::max(rule.minCells, (rule.maxCells - rule.minCells) / rule.step * rule.step)
                        : cells;
  std::vector<std::int64_t> edges{0};
  for (std::int64_t start = 0; start < cells; start = edges.back()) {
    std::int64_t end = start + rule.minCells;
    const auto counted = [&] {
      return static_cast<double>(cumulative[static_cast<std::size_t>(end)] -
                                 cumulative[static_cast<std::size_t>(start)]);
    };
    if (!rule.variable) end = start + std::max(rule.minCells, evenWidth);
    while (rule.variable && end < cells && end - start < maxCells && counted() < share) end += rule.step;
    edges.push_back(std::min({end, start + maxCells, cells}));
  }
  if (edges.size() > 2 && cells - edges[edges.size() - 2] < rule.minCells) edges.erase(edges.end() - 2);
  return edges;
}

std::array<std::vector<std::int64_t>, 3> cellHistograms(std::span<const double> points,
                                                        const GridLayout& layout, double width, int threads) {
  const auto dims = static_cast<std::size_t>(layout.dims);
  const auto pointCount = static_cast<std::int64_t>(points.size() / dims);
  const std::int64_t step = std::max<std::int64_t>(1, pointCount / minCountedPoints),
                     count = pointCount / step;
  const std::int64_t cells = layout.grid[0] + layout.grid[1] + layout.grid[2];
  const std::int64_t maxParts = cells > maxSharedHistogramCells ? 1 : std::max(1, threads);
  const std::int64_t parts = std::clamp<std::int64_t>(count / minPointsPerPart, 1, maxParts);
  std::vector<std::array<std::vector<std::int64_t>, 3>> part(static_cast<std::size_t>(parts));
  parallelTasks(parts, threads, [&](std::int64_t p) {
    auto& mine = part[static_cast<std::size_t>(p)];
    for (std::size_t d = 0; d < dims; ++d) {
      mine[d].assign(static_cast<std::size_t>(layout.grid[d]) + 1, 0);
      const auto size = static_cast<double>(layout.grid[d]);
      for (std::int64_t j = count * p / parts; j < count * (p + 1) / parts; ++j) {
        const double k = points[static_cast<std::size_t>(pick(j, step)) * dims + d];
        const double first = std::ceil((k - std::floor(k)) * size - width / 2);
        const double cell = first < 0 ? first + size : first;
        if (cell >= 0 && cell < size) ++mine[d][static_cast<std::size_t>(cell) + 1];
      }
    }
  });
  std::array<std::vector<std::int64_t>, 3> sum = std::move(part[0]);
  for (std::size_t d = 0; d < dims; ++d) {
    for (std::size_t p = 1; p < part.size(); ++p)
      for (std::size_t i = 0; i < sum[d].size(); ++i) sum[d][i] += part[p][d][i];
    for (std::size_t i = 1; i < sum[d].size(); ++i) sum[d][i] += sum[d][i - 1];
  }
  return sum;
}

std::int64_t partitionsFor(int dims, int threads) {
  const double ready = static_cast<double>(readyPerThread * std::max(1, threads));
  return static_cast<std::int64_t>(std::ceil(2 * std::pow(ready, 1.0 / dims)));
}

GridLayout withPartitions(const GridLayout& layout, std::span<const double> points, double width,
                          std::int64_t partitions, bool variable, bool reorder, int threads) {
  GridLayout cut = layout;
  cut.tile = cut.tiles = cut.bins = cut.bin = {1, 1, 1};
  const auto histogram = cellHistograms(points, layout, width, threads);
  const Index3 bin = defaultBin(layout.dims);
  for (std::size_t d = 0; d < static_cast<std::size_t>(layout.dims); ++d) {
    PartitionRule rule;
    rule.partitions = partitions > 0 ? partitions : partitionsFor(layout.dims, threads);
    rule.step = d == 0 ? cacheLineCells : 1;
    // [multicore-nufft] has 2W + 1, with its W a radius.
    rule.minCells =
        roundUpTo(std::max(layout.halo[d], static_cast<std::int64_t>(std::ceil(width)) + 1), rule.step);
    rule.variable = variable;
    rule.maxCells = std::numeric_limits<std::uint32_t>::max() / std::max<std::int64_t>(1, layout.stride[d]) /
                    rule.step * rule.step;
    cut.edges[d] = partitionEdges(histogram[d], rule);
    cut.tiles[d] = static_cast<std::int64_t>(cut.edges[d].size()) - 1;
    for (std::size_t i = 1; i < cut.edges[d].size(); ++i)
      cut.tile[d] = std::max(cut.tile[d], cut.edges[d][i] - cut.edges[d][i - 1]);
    cut.bin[d] = reorder ? bin[d] : cut.tile[d];
    cut.bins[d] = (cut.tile[d] + cut.bin[d] - 1) / cut.bin[d];
  }
  return cut;
}

}  // namespace spokelab
