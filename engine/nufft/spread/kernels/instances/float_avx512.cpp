#include "engine/nufft/spread/kernels/interleaved_loops.h"
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<float> spreadFloatAvx512 =
    makeSpreadFunctions<simd::Avx512, float>(KernelWidths{});
constinit const TileFunctions<float> interpolateFloatAvx512 =
    makeInterpolateFunctions<simd::Avx512, float>(KernelWidths{});

constinit const TileFunctions<float> storedSpreadFloatAvx512 =
    makeSpreadFunctions<simd::Avx512, float, StoredWeights>(KernelWidths{});
constinit const TileFunctions<float> storedInterpolateFloatAvx512 =
    makeInterpolateFunctions<simd::Avx512, float, StoredWeights>(KernelWidths{});

constinit const InterleavedFunctions<float> interleavedFloatAvx512[2] = {
    makeInterleavedFunctions<simd::Avx512, float, EvaluatedInterleavedWeights>(KernelWidths{}),
    makeInterleavedFunctions<simd::Avx512, float, StoredInterleavedWeights>(KernelWidths{})};

}  // namespace spokelab
