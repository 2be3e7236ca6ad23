// Eigenvectors of a tile of pixels become coil maps.
#pragma once

#include <array>
#include <vector>

#include "engine/core/array.h"
#include "engine/recon/coils/kernels/coil_loops.h"

namespace spokelab {

// Writes vectors [coil][plane][pixel] to `out` [coil, pixel], each turned so that its product with
// `reference` is real and positive; 0 where it is not `kept`. `count`: pixels of the tile;
// `pixels`: of a map.
void keepVectors(const float* vectors, int coils, int count, const std::vector<cdouble>& reference,
                 const std::array<bool, pixelTile>& kept, std::int64_t pixels, cfloat* out);

}  // namespace spokelab
