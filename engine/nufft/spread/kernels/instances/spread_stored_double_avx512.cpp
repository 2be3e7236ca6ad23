// The loops of both stages from stored kernel values in double precision, with AVX-512.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<double> storedSpreadDoubleAvx512 =
    makeSpreadFunctions<simd::Avx512, double, StoredWeights>(KernelWidths{});
constinit const TileFunctions<double> storedInterpolateDoubleAvx512 =
    makeInterpolateFunctions<simd::Avx512, double, StoredWeights>(KernelWidths{});

}  // namespace spokelab
