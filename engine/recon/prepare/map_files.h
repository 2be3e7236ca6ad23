// Field, R2*, coil and phase maps: from files (NIfTI, ISMRMRD, arrays) or from arrays that the
// scan's own file holds (as PowerGrid writes them: SENSEMap, FieldMap in rad/s, PhaseMaps in rad).
// A map has the image's pixels, x fastest; a flat list of the right length is taken in that order.
#pragma once

#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/options/iterative_options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// `count` maps of `matrix`: [map, pixel]. name: of the scan's array that serves where `file` is
// empty;
// "none": none. 2-D scans: `slice` of as many maps as there are slices, where the file holds them.
// Empty where there is no map. Throws Error: wrong size, a value that is not finite.
std::vector<cfloat> readMaps(const Scan& scan, const std::string& file, const std::string& name,
                             std::int64_t count, int slice, const std::string& what,
                             const Progress& progress);

inline constexpr const char* fieldMapArray = "FieldMap";  // of a scan's file

// Whether there is a field or an R2* map, as far as can be told without reading it.
bool mayHaveField(const Scan& scan, const IterativeOptions& options);

}  // namespace spokelab
