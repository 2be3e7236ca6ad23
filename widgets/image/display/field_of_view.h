// Compares fields of view: true if two images show the same part of the patient, at any resolution.
#pragma once

#include "engine/scan/scan.h"

namespace spokelab {

bool sameField(const Image& a, const Image& b);
// The pixel of `to` pixels at the place of pixel `index` of `from`; middle maps to middle.
std::int64_t rescaledIndex(std::int64_t index, std::int64_t from, std::int64_t to);

}  // namespace spokelab
