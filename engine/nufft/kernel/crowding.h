// Where points crowd, sums in the transform's precision lose digits: n terms of random sign leave a
// relative error that grows as sqrt(n), equal terms one that grows as n. Spreading therefore sums
// crowded places in two levels: some terms in the transform's precision, these sums in double.
// PredictedError::rounding takes it that no sum is longer than maxTermsPerCell.
#pragma once

#include <cmath>

namespace spokelab {

// A place is crowded where one block of so many cells a side has more points.
inline constexpr int crowdBlockCells = 4;
inline constexpr int maxPointsPerCrowdBlock = 64;

// Terms that may meet in a cell and are summed at one level, for a kernel of this width.
inline double maxTermsPerCell(int dims, double width) {
  return maxPointsPerCrowdBlock * std::pow(std::fmax(1.0, width / crowdBlockCells), dims);
}

}  // namespace spokelab
