// Numbers of which each rank has, or finds out, a part.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/core/jobs/ranks.h"

namespace spokelab {

// A rank's part of an array: bytes from `first` on.
struct RankPart {
  std::size_t first = 0, bytes = 0;
};

// Each rank has one part of `data` and gets the others. parts: one a rank, the same on all.
void shareParts(Ranks& ranks, void* data, std::span<const RankPart> parts, const Progress& progress);

// The sum (the largest) of the ranks' values, on all ranks. largestOfRanks: values are at least 0.
double sumOfRanks(Ranks& ranks, double value, const Progress& progress);
double largestOfRanks(Ranks& ranks, double value, const Progress& progress);

// The items [begin, end) of `count` items that a rank gets. The ranks' parts follow each other, and
// their sizes differ by at most one.
struct EvenPart {
  std::int64_t begin = 0, end = 0;
};
EvenPart evenPart(int rank, int ranks, std::int64_t count);

}  // namespace spokelab
