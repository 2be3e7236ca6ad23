// Maps (field, coil sensitivities, decay, phase) on the grid of an image: read where both lie in
// the patient, whatever the order of the map's axes, its grid and its voxel size.
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
  // The map's grid and the part of the image outside it: "resampled (linear) from 32 x 32 x 3 ...".
  std::string origin;
  bool question = false;  // the file or the scan leaves the map's place open
};

// True if both places are known, or if the map has the pixels of the image's assumed place.
bool liesInPatient(const Image& map, const Geometry& grid, const Index3& size);

// Resamples the frames of `map` on a grid of `size` pixels (2-D: one slice; 3-D: a volume) at the
// place `grid`. Interpolates linearly in double precision; outside the map the nearest value
// counts. A map of several groups of slices (engine/scan/place/image_groups.h) is read from the
// group that covers most of the grid. Throws Cancelled, and Error(problem, ...) if they do not
// overlap.
MapOnGrid mapOnGrid(const Image& map, const Geometry& grid, const Index3& size, MapKind kind,
                    const std::string& problem, const Progress& progress);

}  // namespace spokelab
