#include "engine/nufft/spread/kernels/spread_together.h"

namespace spokelab {

#ifdef SPOKELAB_X86_64
#define SPOKELAB_TOGETHER(Type, Prefix)                                                      \
  template <>                                                                                \
  const TogetherFunctions<Type>& togetherFunctions(InstructionSet set, bool stored) {        \
    const TogetherFunctions<Type>* table = set == InstructionSet::avx512 ? Prefix##Avx512    \
                                           : set == InstructionSet::avx2 ? Prefix##Avx2      \
                                                                         : Prefix##Portable; \
    return table[stored ? 1 : 0];                                                            \
  }
#else
#define SPOKELAB_TOGETHER(Type, Prefix)                                           \
  template <>                                                                     \
  const TogetherFunctions<Type>& togetherFunctions(InstructionSet, bool stored) { \
    return Prefix##Portable[stored ? 1 : 0];                                      \
  }
#endif

SPOKELAB_TOGETHER(float, togetherFloat)
SPOKELAB_TOGETHER(double, togetherDouble)

#undef SPOKELAB_TOGETHER

}  // namespace spokelab
