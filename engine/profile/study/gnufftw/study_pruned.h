// The gain of pruning in the FFT of a grid twice as large as the image (gnufftw Fig. 5): eight
// transforms of half the side in the place of one, the paper's bound, and our passes over the lines
// with data (nufft/fft/fft.h), which do all of the work.
#pragma once

#include "engine/profile/study/study_run.h"

namespace spokelab {

void studyPruned(StudyRun& run);

}  // namespace spokelab
