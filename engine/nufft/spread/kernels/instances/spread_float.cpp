// The loops of the spread stage in single precision, without special instructions.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<float> spreadFloatPortable =
    makeSpreadFunctions<simd::Portable, float>(KernelWidths{});

}  // namespace spokelab
