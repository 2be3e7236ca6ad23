// The number of frames in a scan's file, of which some may have been read.
#pragma once

#include "engine/scan/scan.h"

namespace spokelab {

// Uses the reader's decision read-frames; without one, the scan's frames.
int framesInFile(const Scan& scan);

}  // namespace spokelab
