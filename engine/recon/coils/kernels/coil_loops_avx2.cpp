// The loops of coil maps with AVX2.
#include "engine/recon/coils/kernels/coil_loops_impl.h"

namespace spokelab {

constinit const CoilLoops<float> coilLoopsFloatAvx2 = makeCoilLoops<simd::Avx2, float>();
constinit const CoilLoops<double> coilLoopsDoubleAvx2 = makeCoilLoops<simd::Avx2, double>();

}  // namespace spokelab
