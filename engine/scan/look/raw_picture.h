// Samples of a scan as a picture for the screen: two of the axes shot, sample and coil; frame,
// slice and the third axis stay at one place. Nothing of the scan is copied but the cells of the
// picture.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

enum class RawAxis { sample, shot, coil };

struct RawPlace {
  int frame = 0, slice = 0;
  std::int64_t shot = 0, sample = 0, coil = 0;  // sample: within its shot

  bool operator==(const RawPlace&) const = default;
  std::int64_t& along(RawAxis axis);
  std::int64_t along(RawAxis axis) const;
};

// Numbers [rows, columns], reduced to cells [height, width]: cell (i, j) stands for the rows from
// i rows / height and the columns from j columns / width on, by its value of largest magnitude.
struct RawPicture {
  std::int64_t columns = 0, rows = 0;
  int width = 0, height = 0;
  // NaN where a sample is missing, as at the end of a shorter shot.
  std::vector<cfloat> values;

  cfloat at(int column, int row) const {
    return values[std::size_t(row) * std::size_t(width) + std::size_t(column)];
  }
};

// Shots of the frame, samples of its longest shot, or coils.
std::int64_t axisLength(const Scan& scan, int frame, RawAxis axis);
// The place with each of its numbers inside the scan.
RawPlace insideScan(const Scan& scan, RawPlace place);

// At most `maxWidth` x `maxHeight` cells (at least one of each); `x` and `y` differ. A place
// outside the scan is moved inside. Throws Cancelled.
RawPicture rawPicture(const Scan& scan, RawAxis x, RawAxis y, const RawPlace& place, int maxWidth,
                      int maxHeight, const Progress& progress);

// The samples of the shot at `place`, for its coil, slice and frame.
std::vector<cfloat> readoutAt(const Scan& scan, const RawPlace& place);

// The root of the sum of squares over coils, for each sample of a frame's slice.
std::vector<float> coilMagnitude(const Scan& scan, int frame, int slice, const Progress& progress);

}  // namespace spokelab
