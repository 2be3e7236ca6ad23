// The loops of both stages for several images at once in double precision, with AVX-512.
#include "engine/nufft/spread/kernels/together_loops.h"

namespace spokelab {

constinit const TogetherFunctions<double> togetherDoubleAvx512[2] = {
    makeTogetherFunctions<simd::Avx512, double, EvaluatedTogether>(KernelWidths{}),
    makeTogetherFunctions<simd::Avx512, double, StoredTogether>(KernelWidths{})};

}  // namespace spokelab
