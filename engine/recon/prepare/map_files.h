// Field, R2*, coil and phase maps: from files (NIfTI, ISMRMRD, arrays) or from arrays that the
// scan's own file holds (as PowerGrid writes them: SENSEMap, FieldMap in rad/s, PhaseMaps in rad).
// A file with an affine is read at its place, whatever its grid and the order of its axes
// (engine/scan/check/map_on_grid.h). Without an affine a map has the image's pixels, x fastest; a
// flat list of the right length is taken in that order.
#pragma once

#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/options/iterative_options.h"
#include "engine/scan/check/map_on_grid.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct MapRequest {
  std::string file;  // "none": no map
  std::string name;  // of the scan's array that serves where `file` is empty
  std::string what;  // "the field map", for messages and notes
  std::int64_t count = 1;
  MapKind kind = MapKind::value;
  const Image* image = nullptr;  // read already, in place of `file`
};
// The slice of a 2-D scan (3-D: the volume) and the frame that maps are for.
struct MapPlace {
  int frame = 0, slice = 0;
};

// `count` maps of `matrix`: [map, pixel]. Without an affine, 2-D scans take the map of `slice` if
// the file holds one for each slice. Empty without a map. `notes`: from which grid a file's map was
// read, "(?)" before it where that is a guess. Throws Error: wrong size, elsewhere in the patient,
// a value that is not finite.
std::vector<cfloat> readMaps(const Scan& scan, const MapRequest& request, const MapPlace& place,
                             std::vector<std::string>& notes, const Progress& progress);

}  // namespace spokelab
