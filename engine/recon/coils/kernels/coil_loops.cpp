#include "engine/recon/coils/kernels/coil_loops.h"

#include "engine/core/simd/cpu_features.h"

namespace spokelab {

template <>
const CoilLoops<float>& coilLoops<float>() {
#ifdef SPOKELAB_X86_64
  if (instructionSet() == InstructionSet::avx512) return coilLoopsFloatAvx512;
  if (instructionSet() == InstructionSet::avx2) return coilLoopsFloatAvx2;
#endif
  return coilLoopsFloatPortable;
}

template <>
const CoilLoops<double>& coilLoops<double>() {
#ifdef SPOKELAB_X86_64
  if (instructionSet() == InstructionSet::avx512) return coilLoopsDoubleAvx512;
  if (instructionSet() == InstructionSet::avx2) return coilLoopsDoubleAvx2;
#endif
  return coilLoopsDoublePortable;
}

}  // namespace spokelab
