// The unit of the stored coordinates.
#pragma once

#include <optional>
#include <string>

#include "engine/scan/read/header/decisions.h"
#include "engine/scan/read/header/mrd_header.h"

namespace spokelab {

inline constexpr double maxBandExcess = 1.1;  // |k| may exceed N/2 by a little

struct UnitFit {
  Vec3 perMm{};                // stored coordinate x this = cycles/mm
  double coverage = 0;         // largest |k| over N/2
  bool wholeMultiple = false;  // coverage is a whole number
  bool perPixel = false;       // cycles or radians a pixel
  // mm; the field of view with which the coordinates reach N/2, if nobody gives one.
  std::optional<Vec3> fov;
};
// noMatrix: nobody says what the matrix is, so that the unit is a question.
UnitFit decideUnit(const Vec3& largest, int dims, const EncodingSpace& space, bool nominalFov, bool noMatrix,
                   const std::string& remark, Decisions& d);

}  // namespace spokelab
