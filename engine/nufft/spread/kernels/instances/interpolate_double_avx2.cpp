// The loops of the interpolate stage in double precision, with AVX2.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<double> interpolateDoubleAvx2 =
    makeInterpolateFunctions<simd::Avx2, double>(KernelWidths{});

}  // namespace spokelab
