// The plain sequential code of multicore-nufft (plain_nufft.h) in its studies. Internal to them.
#pragma once

#include <span>
#include <vector>

#include "engine/profile/study/multicore/interleaved_runs.h"

namespace spokelab {

// The code as if it were a plan; kernelSeconds: of part 1.
struct PlainRun {
  RaceRun raced;
  double kernelSeconds = 0;
};

PlainRun racePlain(const StudyRun& run, const ResamplingCase& c, std::span<const double> points, double width,
                   const Progress& progress);

// The points in the order of blocks of the grid, as the paper's step "reorder" leaves them.
std::vector<double> reordered(const ResamplingCase& c, const Index3& grid);

}  // namespace spokelab
