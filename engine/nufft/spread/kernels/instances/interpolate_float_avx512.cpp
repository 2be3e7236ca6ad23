// The loops of the interpolate stage in single precision, with AVX-512.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<float> interpolateFloatAvx512 =
    makeInterpolateFunctions<simd::Avx512, float>(KernelWidths{});

}  // namespace spokelab
