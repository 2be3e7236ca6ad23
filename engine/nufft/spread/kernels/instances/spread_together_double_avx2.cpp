// The loops of both stages for several images at once in double precision, with AVX2.
#include "engine/nufft/spread/kernels/together_loops.h"

namespace spokelab {

constinit const TogetherFunctions<double> togetherDoubleAvx2[2] = {
    makeTogetherFunctions<simd::Avx2, double, EvaluatedTogether>(KernelWidths{}),
    makeTogetherFunctions<simd::Avx2, double, StoredTogether>(KernelWidths{})};

}  // namespace spokelab
