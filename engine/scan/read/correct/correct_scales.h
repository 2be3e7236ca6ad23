// Decision axis-scales: the gradients of an axis are stronger or weaker than they were asked to be,
// so that k is a multiple of what the file says.
#pragma once

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/scan.h"

namespace spokelab {

// none (the default), or a factor for each axis as in 1.01,0.99. Throws Error.
void correctScales(Scan& scan, Decisions& d);

}  // namespace spokelab
