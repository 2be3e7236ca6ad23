// The loops of both stages from stored kernel values in single precision, with AVX2.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<float> storedSpreadFloatAvx2 =
    makeSpreadFunctions<simd::Avx2, float, StoredWeights>(KernelWidths{});
constinit const TileFunctions<float> storedInterpolateFloatAvx2 =
    makeInterpolateFunctions<simd::Avx2, float, StoredWeights>(KernelWidths{});

}  // namespace spokelab
