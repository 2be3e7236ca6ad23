// Partitions of the oversampled grid whose widths follow the points (papers/multicore-nufft-task-graph, III.B.1,
// Fig. 5): each dimension is cut by itself, at cells where its cumulative histogram has grown by a P-th of the points,
// but no narrower than a kernel reaches. Dense regions get narrow partitions, sparse ones wide partitions.
//
// Ours against the paper's: the grid does not wrap round here, what reaches beyond its last cell lies in the halo
// (grid_layout.h), so that any number of partitions will do; in x they begin at whole cache lines, as rows do; what is
// left at the end is merged with its neighbour where it is narrower than the smallest.
#pragma once

#include <span>
#include <vector>

#include "engine/nufft/points/grid_layout.h"

namespace spokelab {

struct PartitionRule {
  std::int64_t wanted = 1;    // partitions P
  std::int64_t smallest = 1;  // cells, a multiple of `step`
  std::int64_t largest = 0;   // cells; 0: any
  std::int64_t step = 1;      // edges lie at multiples of it
  bool variable = true;       // false: widths of G / P
};

// cumulative[i]: points whose first cell lies before cell i; [G + 1]. Returns the first cell of each partition, and G.
std::vector<std::int64_t> partitionEdges(std::span<const std::int64_t> cumulative, const PartitionRule& rule);

// The cumulative histogram of the points' first cells in each dimension; of many points some 2^18 of them, evenly picked.
// What is not finite is not counted.
std::array<std::vector<std::int64_t>, 3> cellHistograms(std::span<const double> points,
                                                        const GridLayout& layout, double width, int threads);

// Partitions a dimension that keep so many threads busy: eight ready at a time for each.
std::int64_t partitionsFor(int dims, int threads);

// The layout with its tiles replaced by partitions. wanted 0: by the threads. smallest: cells in y and z, a little more
// than a kernel reaches. reorder: points of a partition are put in the order of its bins.
GridLayout withPartitions(const GridLayout& layout, std::span<const double> points, double width,
                          std::int64_t wanted, bool variable, bool reorder, int threads);

}  // namespace spokelab
