// The place of an acquisition in the patient, from its header.
#pragma once

#include "engine/scan/formats/acquisitions/acquisition.h"
#include "engine/scan/place/slice_lines.h"

namespace spokelab {

struct HeadPlace {
  SlicePlace place;
  // False: no unit vectors at right angles; the axes of the patient are used.
  bool hasDirections = true;
  bool hasPosition = true;  // false: not finite; the scanner's centre is used
};
HeadPlace placeOf(const AcquisitionHead& head);

}  // namespace spokelab
