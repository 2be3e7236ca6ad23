#include "engine/nufft/spread/kernels/spread_interleaved.h"

namespace spokelab {

#ifdef SPOKELAB_X86_64
#define SPOKELAB_INTERLEAVED(Type, Prefix)                                                      \
  template <>                                                                                   \
  const InterleavedFunctions<Type>& interleavedFunctions(InstructionSet set, bool stored) {     \
    const InterleavedFunctions<Type>* table = set == InstructionSet::avx512 ? Prefix##Avx512    \
                                              : set == InstructionSet::avx2 ? Prefix##Avx2      \
                                                                            : Prefix##Portable; \
    return table[stored ? 1 : 0];                                                               \
  }
#else
#define SPOKELAB_INTERLEAVED(Type, Prefix)                                              \
  template <>                                                                           \
  const InterleavedFunctions<Type>& interleavedFunctions(InstructionSet, bool stored) { \
    return Prefix##Portable[stored ? 1 : 0];                                            \
  }
#endif

SPOKELAB_INTERLEAVED(float, interleavedFloat)
SPOKELAB_INTERLEAVED(double, interleavedDouble)

#undef SPOKELAB_INTERLEAVED

}  // namespace spokelab
