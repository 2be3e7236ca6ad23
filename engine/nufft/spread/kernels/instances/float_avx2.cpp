#include "engine/nufft/spread/kernels/interleaved_loops.h"
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<float> spreadFloatAvx2 = makeSpreadFunctions<simd::Avx2, float>(KernelWidths{});
constinit const TileFunctions<float> interpolateFloatAvx2 =
    makeInterpolateFunctions<simd::Avx2, float>(KernelWidths{});

constinit const TileFunctions<float> storedSpreadFloatAvx2 =
    makeSpreadFunctions<simd::Avx2, float, StoredWeights>(KernelWidths{});
constinit const TileFunctions<float> storedInterpolateFloatAvx2 =
    makeInterpolateFunctions<simd::Avx2, float, StoredWeights>(KernelWidths{});

constinit const InterleavedFunctions<float> interleavedFloatAvx2[2] = {
    makeInterleavedFunctions<simd::Avx2, float, EvaluatedInterleavedWeights>(KernelWidths{}),
    makeInterleavedFunctions<simd::Avx2, float, StoredInterleavedWeights>(KernelWidths{})};

}  // namespace spokelab
