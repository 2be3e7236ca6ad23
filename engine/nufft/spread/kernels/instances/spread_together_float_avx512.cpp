// The loops of both stages for several images at once in single precision, with AVX-512.
#include "engine/nufft/spread/kernels/together_loops.h"

namespace spokelab {

constinit const TogetherFunctions<float> togetherFloatAvx512[2] = {
    makeTogetherFunctions<simd::Avx512, float, EvaluatedTogether>(KernelWidths{}),
    makeTogetherFunctions<simd::Avx512, float, StoredTogether>(KernelWidths{})};

}  // namespace spokelab
