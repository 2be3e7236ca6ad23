// The loops of coil maps with AVX-512.
#include "engine/recon/coils/kernels/coil_loops_impl.h"

namespace spokelab {

constinit const CoilLoops<float> coilLoopsFloatAvx512 = makeCoilLoops<simd::Avx512, float>();
constinit const CoilLoops<double> coilLoopsDoubleAvx512 = makeCoilLoops<simd::Avx512, double>();

}  // namespace spokelab
