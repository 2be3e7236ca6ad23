// What the axes of samples and trajectory are called, by their sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/scan/formats/arrays/array_header.h"

namespace spokelab {

// The axis of 2 to 4 numbers at either end of the shape: where trajectories keep their columns. -1:
// none.
int columnAxis(const ArrayHeader& header);

// The points of a trajectory: [shots,] samples, outermost first, without sizes of 1.
struct PointSizes {
  std::vector<std::int64_t> sizes;
  std::int64_t count = 1;
};
PointSizes pointSizes(const ArrayHeader& header, int column);

// Names of a trajectory's axes, in the file's own order.
std::vector<std::string> trajectoryAxes(const ArrayHeader& header, int column);

// Names of the samples' axes. Those of the trajectory's sizes are shot and sample, in the
// trajectory's order or, where that does not fit, in another; else neighbours that multiply to its
// points. Of the other axes the nearest is coil, then slice, then frame. Empty where nothing fits.
struct SampleAxes {
  std::vector<std::string> names;
  // The other namings that fit the sizes as well.
  std::vector<std::vector<std::string>> others;
};
SampleAxes sampleAxes(const ArrayHeader& header, const PointSizes& points);

// The shape of `elements` samples of which only the number is known, in BART's order: 1, samples,
// shots, coils. Empty where they are no whole number of coils.
std::vector<std::int64_t> bareShape(std::int64_t elements, const PointSizes& points);

}  // namespace spokelab
