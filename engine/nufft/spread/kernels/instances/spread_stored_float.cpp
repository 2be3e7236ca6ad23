// The loops of both stages from stored kernel values in single precision, without special instructions.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<float> storedSpreadFloatPortable =
    makeSpreadFunctions<simd::Portable, float, StoredWeights>(KernelWidths{});
constinit const TileFunctions<float> storedInterpolateFloatPortable =
    makeInterpolateFunctions<simd::Portable, float, StoredWeights>(KernelWidths{});

}  // namespace spokelab
