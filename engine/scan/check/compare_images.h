// Measures the distance of an image from a reference.
#pragma once

#include "engine/scan/scan.h"

namespace spokelab {

// True if an image holds magnitudes only, as a root sum of squares does.
bool isMagnitude(const Image& image);

// True if either image holds magnitudes only, so that magnitudes are compared.
bool comparesMagnitudes(const Image& image, const Image& reference);

// The compared quantity for the user: "complex values" or "magnitudes", with the reason.
std::string comparedText(const Image& image, const Image& reference);

// ||s a - b|| / ||b|| with the least-squares scale s, complex or of magnitudes, over the pixels
// that are finite in both. Throws Error where the sizes differ.
double nrmse(const Image& image, const Image& reference);

}  // namespace spokelab
