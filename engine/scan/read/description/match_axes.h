// Names the axes of samples and trajectory by their sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/scan/formats/arrays/array_header.h"

namespace spokelab {

// The axis of 2 to 4 numbers at either end of the shape, as trajectories have columns; -1: none.
int columnAxis(const ArrayHeader& header);
// All axes that may hold the columns, the likeliest first.
std::vector<int> columnAxes(const ArrayHeader& header);

// The points of a trajectory: [shots,] samples, outermost first, without sizes of 1.
struct PointSizes {
  std::vector<std::int64_t> sizes;
  std::int64_t count = 1;
};
PointSizes pointSizes(const ArrayHeader& header, int column);

// True for numbers [sample, shot] of points [shot, sample].
bool isTurned(const PointSizes& own, const PointSizes& points);

// Names of a trajectory's axes, in the file's own order.
std::vector<std::string> trajectoryAxes(const ArrayHeader& header, int column);

// Names of a real trajectory or complex samples of BART (.cfl): its axes are READ 0, PHS1 1,
// PHS2 2, COIL 3, TE 5, TIME 10, TIME2 11, SLICE 13, AVG 14, BATCH 15 (bart/src/misc/mri.h);
// coordinates lie along axis 0, samples and shots along 1 and 2. Empty where an axis that has no
// meaning here is larger than 1.
std::vector<std::string> bartAxes(const ArrayHeader& header, bool trajectory);

// The axis of 2 at either end that holds real and imaginary parts of real numbers. -1: none.
int partAxis(const ArrayHeader& header);

// Names of the samples' axes. Axes with the trajectory's sizes are shot and sample, in the
// trajectory's order or another; else neighbours that multiply to its number of points. The other
// axes are a guess: the nearest is coil, then echo (up to 8) or slice, then time. Empty if nothing
// fits.
struct SampleAxes {
  std::vector<std::string> names;
  // The other namings that fit the sizes as well.
  std::vector<std::vector<std::string>> others;
};
SampleAxes sampleAxes(const ArrayHeader& header, const PointSizes& points, int part = -1);

// The shape of `elements` samples without known sizes, in BART's order: 1, samples, shots, coils.
// Empty if they are not a whole number of coils, or of more than 256.
std::vector<std::int64_t> bareShape(std::int64_t elements, const PointSizes& points);

}  // namespace spokelab
