#include "engine/nufft/spread/kernels/interleaved_loops.h"
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<double> spreadDoublePortable =
    makeSpreadFunctions<simd::Portable, double>(KernelWidths{});
constinit const TileFunctions<double> interpolateDoublePortable =
    makeInterpolateFunctions<simd::Portable, double>(KernelWidths{});

constinit const TileFunctions<double> storedSpreadDoublePortable =
    makeSpreadFunctions<simd::Portable, double, StoredWeights>(KernelWidths{});
constinit const TileFunctions<double> storedInterpolateDoublePortable =
    makeInterpolateFunctions<simd::Portable, double, StoredWeights>(KernelWidths{});

constinit const InterleavedFunctions<double> interleavedDoublePortable[2] = {
    makeInterleavedFunctions<simd::Portable, double, EvaluatedInterleavedWeights>(KernelWidths{}),
    makeInterleavedFunctions<simd::Portable, double, StoredInterleavedWeights>(KernelWidths{})};

}  // namespace spokelab
