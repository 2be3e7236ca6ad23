// The loops of the interpolate stage in single precision, with AVX2.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<float> interpolateFloatAvx2 =
    makeInterpolateFunctions<simd::Avx2, float>(KernelWidths{});

}  // namespace spokelab
