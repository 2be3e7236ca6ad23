// Decides the meaning of coordinates that start at 0: the upper half is the negative half of
// k-space, as a discrete Fourier transform counts frequencies, or the centre of k-space is in the
// middle.
#pragma once

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/read/header/mrd_header.h"
#include "engine/scan/read/steps/raw_trajectory.h"

namespace spokelab {

// Moves the first `dims` columns to -1/2 ... 1/2 of their period (1, 2 pi or the matrix) where they
// cover 0 ... 1 of it, and records why.
void decideRange(RawTrajectory& raw, int dims, const EncodingSpace& space, Decisions& d);

}  // namespace spokelab
