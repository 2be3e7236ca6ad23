// The offset of the field of view. Scanners demodulate it while they measure, as a rule; where they
// do not, the object at r + s instead of r multiplies the samples by e^{-2 pi i k . s / FOV}, and
// the picture lies s beside its place. Samples with an offset look like those of an object that is
// not in the middle: where the header says that the field of view is off the isocentre, the reader asks.
#pragma once

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Takes the offset that was chosen (decision fov-shift) out of the samples.
void correctFovShift(Scan& scan, Decisions& d);

}  // namespace spokelab
