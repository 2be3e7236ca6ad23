// The loops of both stages from stored kernel values in double precision, without special instructions.
#include "engine/nufft/spread/kernels/tile_loops.h"

namespace spokelab {

constinit const TileFunctions<double> storedSpreadDoublePortable =
    makeSpreadFunctions<simd::Portable, double, StoredWeights>(KernelWidths{});
constinit const TileFunctions<double> storedInterpolateDoublePortable =
    makeInterpolateFunctions<simd::Portable, double, StoredWeights>(KernelWidths{});

}  // namespace spokelab
