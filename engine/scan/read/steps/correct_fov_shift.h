// Corrects the offset of the field of view. Scanners usually demodulate it during the measurement.
// Otherwise the object at r + s instead of r multiplies the samples by e^{-2 pi i k . s / FOV}, and
// the picture is shifted by s. Such samples look like the samples of an object off the middle, so
// the reader asks if the header puts the field of view off the isocentre.
#pragma once

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

void correctFovShift(Scan& scan, Decisions& d);

}  // namespace spokelab
