// The trajectory as the file stores it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/array.h"
#include "engine/scan/formats/acquisitions/acquisition_source.h"
#include "engine/scan/read/steps/select_acquisitions.h"

namespace spokelab {

// The stored trajectory of the imaging acquisitions, kept samples only, as it is in the file.
struct RawTrajectory {
  int columns = 0;
  std::vector<std::int64_t> offsets{0};  // [imaging + 1], in samples
  std::vector<double> values;            // [sample, column]
  // [imaging]: 1 where coordinates were replaced (bad_readouts.h); empty: nowhere.
  std::vector<char> bad;
  std::string badText;  // counts them and names the first

  std::int64_t samples() const { return offsets.back(); }
  double at(std::int64_t sample, int column) const { return values[std::size_t(sample * columns + column)]; }
};
RawTrajectory readTrajectory(AcquisitionSource& file, const Selection& selection, const Decisions& d,
                             const Progress& progress);

struct ColumnRange {
  double low = 0, high = 0;
};
ColumnRange rangeOf(const RawTrajectory& raw, int column);

Vec3 largestCoordinates(const RawTrajectory& raw, int dims);

}  // namespace spokelab
