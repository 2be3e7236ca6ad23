// The loops of the interpolate stage in double precision, with AVX-512.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<double> interpolateDoubleAvx512 =
    makeInterpolateFunctions<simd::Avx512, double>(KernelWidths{});

}  // namespace spokelab
