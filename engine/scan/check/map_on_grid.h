// Maps (field, coil sensitivities, decay, phase) on the grid of an image: read where both lie in the
// patient, whatever the order of the map's axes, its grid and its voxel size.
#pragma once

#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

enum class MapKind {
  value,  // real or complex numbers: real and imaginary parts are interpolated
  phase,  // radians: e^(i phase) is interpolated, and its angle taken, as phase wraps
};

struct MapOnGrid {
  std::vector<cfloat> values;  // [map, pixel]
  // From which grid, and what lies outside it, as in "resampled (linear) from 32 x 32 x 3 pixels ...".
  std::string origin;
  bool question = false;  // the file or the scan leaves open where the map lies
};

// Where a map can be read by its affine: both say where they lie; or the map lies on the pixels that
// the image's assumed place has, in any order of axes.
bool liesInPatient(const Image& map, const Geometry& grid, const Index3& size);

// The frames of `map` on a grid of `size` pixels (2-D: one slice; 3-D: a volume) that lies as `grid`
// says. Linear interpolation in double precision; outside the map the nearest value counts. A map of
// several groups of slices (engine/scan/place/image_groups.h) is read from the group that covers most
// of the grid. Throws Error(problem, ...) where no pixel lies in it; Cancelled.
MapOnGrid mapOnGrid(const Image& map, const Geometry& grid, const Index3& size, MapKind kind,
                    const std::string& problem, const Progress& progress);

}  // namespace spokelab
