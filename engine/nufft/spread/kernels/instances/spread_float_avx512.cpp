// The loops of the spread stage in single precision, with AVX-512.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<float> spreadFloatAvx512 =
    makeSpreadFunctions<simd::Avx512, float>(KernelWidths{});

}  // namespace spokelab
