// How many frames a scan's file holds, of which some may have been read.
#pragma once

#include "engine/scan/scan.h"

namespace spokelab {

// By the reader's decision read-frames; where there is none: those of the scan.
int framesInFile(const Scan& scan);

}  // namespace spokelab
