// The loops of coil maps with what every processor of this kind has.
#include "engine/recon/coils/kernels/coil_loops_impl.h"

namespace spokelab {

constinit const CoilLoops<float> coilLoopsFloatPortable = makeCoilLoops<simd::Portable, float>();
constinit const CoilLoops<double> coilLoopsDoublePortable = makeCoilLoops<simd::Portable, double>();

}  // namespace spokelab
