#include "engine/nufft/spread/kernels/interleaved_loops.h"
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<double> spreadDoubleAvx512 =
    makeSpreadFunctions<simd::Avx512, double>(KernelWidths{});
constinit const TileFunctions<double> interpolateDoubleAvx512 =
    makeInterpolateFunctions<simd::Avx512, double>(KernelWidths{});

constinit const TileFunctions<double> storedSpreadDoubleAvx512 =
    makeSpreadFunctions<simd::Avx512, double, StoredWeights>(KernelWidths{});
constinit const TileFunctions<double> storedInterpolateDoubleAvx512 =
    makeInterpolateFunctions<simd::Avx512, double, StoredWeights>(KernelWidths{});

constinit const InterleavedFunctions<double> interleavedDoubleAvx512[2] = {
    makeInterleavedFunctions<simd::Avx512, double, EvaluatedInterleavedWeights>(KernelWidths{}),
    makeInterleavedFunctions<simd::Avx512, double, StoredInterleavedWeights>(KernelWidths{})};

}  // namespace spokelab
