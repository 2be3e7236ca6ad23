// The loops of both stages for several images at once in single precision, with AVX2.
#include "engine/nufft/spread/kernels/together_loops.h"

namespace spokelab {

constinit const TogetherFunctions<float> togetherFloatAvx2[2] = {
    makeTogetherFunctions<simd::Avx2, float, EvaluatedTogether>(KernelWidths{}),
    makeTogetherFunctions<simd::Avx2, float, StoredTogether>(KernelWidths{})};

}  // namespace spokelab
