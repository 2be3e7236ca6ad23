// The loops of both stages from stored kernel values in single precision, with AVX-512.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<float> storedSpreadFloatAvx512 =
    makeSpreadFunctions<simd::Avx512, float, StoredWeights>(KernelWidths{});
constinit const TileFunctions<float> storedInterpolateFloatAvx512 =
    makeInterpolateFunctions<simd::Avx512, float, StoredWeights>(KernelWidths{});

}  // namespace spokelab
