// The loops of the spread stage in single precision, with AVX2.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<float> spreadFloatAvx2 = makeSpreadFunctions<simd::Avx2, float>(KernelWidths{});

}  // namespace spokelab
