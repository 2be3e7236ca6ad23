// Unwrapping of a phase map in space: whole turns are added so that neighbours differ by little.
// Regions grow from their surest pixel over the surest pairs of neighbours first, which leaves
// noise for last (after H. S. Abdul-Rahman et al., Appl. Opt. 46:6623, 2007, without its sorting of
// pairs into groups).
#pragma once

#include <span>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"

namespace spokelab {

struct UnwrappedPhase {
  std::vector<double> phase;  // rad; as given where the quality is 0
  std::vector<int> region;    // number of the region that a pixel belongs to; -1: none
  int regions = 0;            // that touch nowhere: the turns between them are not known
};

// phase, quality: [z, y, x]. A quality of 0 leaves the pixel out. Throws Cancelled.
UnwrappedPhase unwrapPhase(std::span<const double> phase, std::span<const double> quality, const Index3& size,
                           const Progress& progress);

// The phase without its whole turns, from -pi to pi.
double wrappedPhase(double phase);

}  // namespace spokelab
