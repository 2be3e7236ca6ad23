// Sums over crowded points lose digits in the transform's precision: n terms of random sign leave a
// relative error that grows as sqrt(n), equal terms one that grows as n. Spreading therefore sums
// crowded places in two levels: some terms in the transform's precision, these sums in double.
// PredictedError::crowdLimit is the number of points above which a block is crowded, and
// PredictedError::rounding assumes that no sum at one level has more.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace spokelab {

// Cells a side of a block. A block is crowded if it has more points than the limit, which is at
// least minCrowdLimit.
inline constexpr int crowdBlockCells = 4;
inline constexpr std::int64_t minCrowdLimit = 64;
// A limit that no block exceeds, so that nothing is summed in two levels.
inline constexpr std::int64_t noCrowdLimit = std::numeric_limits<std::uint32_t>::max();

// Terms that meet in a cell for each point of a block.
inline double termsPerBlockPoint(int dims, double width) {
  return std::pow(std::fmax(1.0, width / crowdBlockCells), dims);
}

// Points of a block that may be summed at one level. room: the accuracy asked for over the error
// that rounding each cell once makes.
inline std::int64_t crowdLimit(int dims, double width, double room) {
  // n equal terms leave up to roundingPerEqualTerm n units, terms of random sign far less.
  constexpr double roundingPerEqualTerm = 0.25, share = 0.3;
  const double terms = share * room / roundingPerEqualTerm;
  return static_cast<std::int64_t>(
      std::clamp(terms / termsPerBlockPoint(dims, width), double(minCrowdLimit), double(noCrowdLimit)));
}

}  // namespace spokelab
