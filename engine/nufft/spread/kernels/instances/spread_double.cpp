// The loops of the spread stage in double precision, without special instructions.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<double> spreadDoublePortable =
    makeSpreadFunctions<simd::Portable, double>(KernelWidths{});

}  // namespace spokelab
