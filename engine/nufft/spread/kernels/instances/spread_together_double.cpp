// The loops of both stages for several images at once in double precision, without special instructions.
#include "engine/nufft/spread/kernels/together_loops.h"

namespace spokelab {

constinit const TogetherFunctions<double> togetherDoublePortable[2] = {
    makeTogetherFunctions<simd::Portable, double, EvaluatedTogether>(KernelWidths{}),
    makeTogetherFunctions<simd::Portable, double, StoredTogether>(KernelWidths{})};

}  // namespace spokelab
