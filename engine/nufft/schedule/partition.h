// Partitions of the oversampled grid whose widths follow the points ([multicore-nufft] III.B.1,
// Fig. 5): each dimension is cut by itself, at cells where its cumulative histogram has grown by a
// P-th of the points, but no narrower than a kernel reaches. Dense regions get narrow partitions,
// sparse regions wide ones.
//
// Three differences from the paper. The grid does not wrap round: cells beyond its last one lie in
// the halo (grid_layout.h), so that the number of partitions may be odd. In x partitions begin at
// whole cache lines, as rows do. The last partition is merged with its neighbour where it is
// narrower than the minimum.
#pragma once

#include <span>
#include <vector>

#include "engine/nufft/points/grid_layout.h"

namespace spokelab {

struct PartitionRule {
  std::int64_t partitions = 1;  // P, along one dimension
  std::int64_t minCells = 1;    // a multiple of `step`
  std::int64_t maxCells = 0;    // 0: any
  std::int64_t step = 1;        // edges are multiples of this number of cells
  bool variable = true;         // false: widths of G / P
};

// cumulative[i]: points whose first cell is before cell i; [G + 1]. Returns the first cell of
// each partition, and G.
std::vector<std::int64_t> partitionEdges(std::span<const std::int64_t> cumulative, const PartitionRule& rule);

// The cumulative histogram of the points' first cells in each dimension. Of many points it counts
// some 2^18, picked evenly. Points that are not finite are not counted.
std::array<std::vector<std::int64_t>, 3> cellHistograms(std::span<const double> points,
                                                        const GridLayout& layout, double width, int threads);

// The number of partitions along each dimension that keeps `threads` threads busy: each turn
// (task_graph.h) has eight partitions for each thread.
std::int64_t partitionsFor(int dims, int threads);

// The layout with its tiles replaced by partitions. partitions: for each dimension; 0: by
// the number of threads. reorder: points of a partition are sorted by its bins.
GridLayout withPartitions(const GridLayout& layout, std::span<const double> points, double width,
                          std::int64_t partitions, bool variable, bool reorder, int threads);

}  // namespace spokelab
