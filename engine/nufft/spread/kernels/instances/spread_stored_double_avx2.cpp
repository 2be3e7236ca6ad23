// The loops of both stages from stored kernel values in double precision, with AVX2.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<double> storedSpreadDoubleAvx2 =
    makeSpreadFunctions<simd::Avx2, double, StoredWeights>(KernelWidths{});
constinit const TileFunctions<double> storedInterpolateDoubleAvx2 =
    makeInterpolateFunctions<simd::Avx2, double, StoredWeights>(KernelWidths{});

}  // namespace spokelab
