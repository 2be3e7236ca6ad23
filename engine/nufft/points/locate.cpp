#include "engine/nufft/points/locate.h"

namespace spokelab {

template <class Real>
LocateFunction<Real> locateFunction([[maybe_unused]] InstructionSet set) {
#ifdef SPOKELAB_X86_64
  if (set == InstructionSet::avx512) return locateAvx512;
  if (set == InstructionSet::avx2) return locateAvx2;
#endif
  return locatePortable;
}

template LocateFunction<float> locateFunction<float>(InstructionSet);
template LocateFunction<double> locateFunction<double>(InstructionSet);

}  // namespace spokelab
