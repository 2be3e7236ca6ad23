// The loops of the spread stage in double precision, with AVX2.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<double> spreadDoubleAvx2 =
    makeSpreadFunctions<simd::Avx2, double>(KernelWidths{});

}  // namespace spokelab
