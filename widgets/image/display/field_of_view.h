// Whether two images show the same part of the patient, at whatever resolution.
#pragma once

#include "engine/scan/scan.h"

namespace spokelab {

bool sameField(const Image& a, const Image& b);
// The pixel of an axis with `to` pixels that lies where pixel `index` of `from` lies; the middle
// stays the middle.
std::int64_t rescaledIndex(std::int64_t index, std::int64_t from, std::int64_t to);

}  // namespace spokelab
