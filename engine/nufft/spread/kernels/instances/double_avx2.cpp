#include "engine/nufft/spread/kernels/interleaved_loops.h"
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<double> spreadDoubleAvx2 =
    makeSpreadFunctions<simd::Avx2, double>(KernelWidths{});
constinit const TileFunctions<double> interpolateDoubleAvx2 =
    makeInterpolateFunctions<simd::Avx2, double>(KernelWidths{});

constinit const TileFunctions<double> storedSpreadDoubleAvx2 =
    makeSpreadFunctions<simd::Avx2, double, StoredWeights>(KernelWidths{});
constinit const TileFunctions<double> storedInterpolateDoubleAvx2 =
    makeInterpolateFunctions<simd::Avx2, double, StoredWeights>(KernelWidths{});

constinit const InterleavedFunctions<double> interleavedDoubleAvx2[2] = {
    makeInterleavedFunctions<simd::Avx2, double, EvaluatedInterleavedWeights>(KernelWidths{}),
    makeInterleavedFunctions<simd::Avx2, double, StoredInterleavedWeights>(KernelWidths{})};

}  // namespace spokelab
