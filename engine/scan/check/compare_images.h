// How far an image lies from a reference.
#pragma once

#include "engine/scan/scan.h"

namespace spokelab {

// ||s a - b|| / ||b|| with the least-squares scale s (complex; for magnitudes where either is
// real). Throws Error where the sizes differ.
double nrmse(const Image& image, const Image& reference);

}  // namespace spokelab
