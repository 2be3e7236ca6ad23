// The loops of the interpolate stage in double precision, without special instructions.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<double> interpolateDoublePortable =
    makeInterpolateFunctions<simd::Portable, double>(KernelWidths{});

}  // namespace spokelab
