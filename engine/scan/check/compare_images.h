// How far an image lies from a reference.
#pragma once

#include "engine/scan/scan.h"

namespace spokelab {

// Whether an image holds nothing but magnitudes, as a root sum of squares does. A map of both signs
// is none.
bool isMagnitude(const Image& image);

// Whether magnitudes are compared: where either image is one.
bool comparesMagnitudes(const Image& image, const Image& reference);

// What is compared, for the user: "complex values", "magnitudes", and why where the kinds differ.
std::string comparedText(const Image& image, const Image& reference);

// ||s a - b|| / ||b|| with the least-squares scale s, complex or of magnitudes, over the pixels that
// are finite in both. Throws Error where the sizes differ.
double nrmse(const Image& image, const Image& reference);

}  // namespace spokelab
