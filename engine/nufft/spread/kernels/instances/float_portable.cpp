#include "engine/nufft/spread/kernels/interleaved_loops.h"
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<float> spreadFloatPortable =
    makeSpreadFunctions<simd::Portable, float>(KernelWidths{});
constinit const TileFunctions<float> interpolateFloatPortable =
    makeInterpolateFunctions<simd::Portable, float>(KernelWidths{});

constinit const TileFunctions<float> storedSpreadFloatPortable =
    makeSpreadFunctions<simd::Portable, float, StoredWeights>(KernelWidths{});
constinit const TileFunctions<float> storedInterpolateFloatPortable =
    makeInterpolateFunctions<simd::Portable, float, StoredWeights>(KernelWidths{});

constinit const InterleavedFunctions<float> interleavedFloatPortable[2] = {
    makeInterleavedFunctions<simd::Portable, float, EvaluatedInterleavedWeights>(KernelWidths{}),
    makeInterleavedFunctions<simd::Portable, float, StoredInterleavedWeights>(KernelWidths{})};

}  // namespace spokelab
