// The loops of the interpolate stage in single precision, without special instructions.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<float> interpolateFloatPortable =
    makeInterpolateFunctions<simd::Portable, float>(KernelWidths{});

}  // namespace spokelab
