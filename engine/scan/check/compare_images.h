// How far an image lies from a reference.
#pragma once

#include "engine/scan/scan.h"

namespace spokelab {

// Whether magnitudes are compared: where either image holds nothing else, as a root sum of squares
// does. A map of both signs is no magnitude.
bool comparesMagnitudes(const Image& image, const Image& reference);

// ||s a - b|| / ||b|| with the least-squares scale s, complex or of magnitudes. Throws Error where
// the sizes differ.
double nrmse(const Image& image, const Image& reference);

}  // namespace spokelab
