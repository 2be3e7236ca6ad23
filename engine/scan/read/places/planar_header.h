// A volume under a header that describes a slice: matrix 64x64x1 and the thickness of a slice, over
// a trajectory with kz. The header then gives a slice's thickness, not a field of view.
#pragma once

#include <string>
#include <vector>

#include "engine/scan/read/header/mrd_header.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The third axis as it is assumed, and what else it could be; choices of the decision fov.
struct PlanarHeader {
  std::int64_t planes = 0;
  double fov = 0;  // mm along z; 0: the header gives none in plane
  std::string evidence;
  std::vector<double> otherFovs;  // mm along z
};

// k: largest coordinates in the unit of the file; partitions: number of them that the counter
// kspace_encode_step_2 tells, or 0. Pixels along z as wide as along x are assumed: in every unit of
// k the number of planes is then Nx |kz| / max(|kx|, |ky|).
PlanarHeader volumeUnderPlanarHeader(const EncodedSpace& header, const Vec3& k, std::int64_t partitions);

}  // namespace spokelab
