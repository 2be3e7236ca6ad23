// The loops of the spread stage in double precision, with AVX-512.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<double> spreadDoubleAvx512 =
    makeSpreadFunctions<simd::Avx512, double>(KernelWidths{});

}  // namespace spokelab
