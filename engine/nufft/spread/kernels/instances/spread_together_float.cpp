// The loops of both stages for several images at once in single precision, without special instructions.
#include "engine/nufft/spread/kernels/together_loops.h"

namespace spokelab {

constinit const TogetherFunctions<float> togetherFloatPortable[2] = {
    makeTogetherFunctions<simd::Portable, float, EvaluatedTogether>(KernelWidths{}),
    makeTogetherFunctions<simd::Portable, float, StoredTogether>(KernelWidths{})};

}  // namespace spokelab
