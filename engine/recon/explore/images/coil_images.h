// The image that each coil saw: one frame and slice, gridded coil by coil on a small matrix, for
// the eye. It shows where each coil sits, and which one is dead or noisy.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/core/progress.h"
#include "engine/scan/look/raw_picture.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct CoilImages {
  Index3 matrix{1, 1, 1};  // of a coil's image; z: of a volume, whose middle plane is shown
  std::int64_t coils = 0;
  std::vector<cfloat> values;  // [coil, y, x] of the (middle) plane

  // All images side by side, `across` in a row; cells without a coil are not-a-number.
  RawPicture mosaic(std::int64_t across) const;
  // The coil at a cell of the mosaic; -1: none.
  std::int64_t coilAt(std::int64_t column, std::int64_t row, std::int64_t across) const;
};

// At most `size` pixels along an axis of a plane, half of it in a volume. Throws Error, Cancelled.
CoilImages coilImages(const Scan& scan, int frame, int slice, std::int64_t size, const Progress& progress);

}  // namespace spokelab
