// Decision k0-drift: the field drifts while a scan runs, and k0, the phase of all samples, with it.
// A drift of D turns in all has given shot n of N the phase e^{2πi D n / (N - 1)}; the correction
// multiplies the shot's samples by its conjugate.
#pragma once

#include "engine/core/progress.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct K0Drift {
  double turns = 0;              // from the first shot to the last, frames after each other
  double before = 0, after = 0;  // rad: what the centre's phase differs from its mean, rms
  std::int64_t shots = 0;        // that cross the centre; below 3: nothing is known
};

// The straight line through the phase that the samples next to k = 0 have, shot by shot, weighted
// by their energy; of the middle slice.
K0Drift fitDrift(const Scan& scan);

// The same with a drift of `turns` that is known. The scan is not changed.
K0Drift driftOf(const Scan& scan, double turns);

// Takes a drift of `turns` from all samples.
void takeDrift(Scan& scan, double turns);

// none (also where nobody asks), fit, or turns as in 0.25. The decision holds the phases before and
// after. Throws Error, Cancelled.
void correctDrift(Scan& scan, Decisions& d, const Progress& progress);

}  // namespace spokelab
