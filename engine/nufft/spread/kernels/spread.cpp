#include "engine/nufft/spread/kernels/spread.h"

namespace spokelab {

namespace {

template <class Table>
const Table& choose(InstructionSet set, const Table& portable, [[maybe_unused]] const Table* avx2,
                    [[maybe_unused]] const Table* avx512) {
  if (set == InstructionSet::avx512 && avx512) return *avx512;
  if (set == InstructionSet::avx2 && avx2) return *avx2;
  return portable;
}

}  // namespace

#ifdef SPOKELAB_X86_64
#define SPOKELAB_TABLES(name, Type, Prefix)                               \
  template <>                                                             \
  const TileFunctions<Type>& name(InstructionSet set) {                   \
    return choose(set, Prefix##Portable, &Prefix##Avx2, &Prefix##Avx512); \
  }
#else
#define SPOKELAB_TABLES(name, Type, Prefix)                                      \
  template <>                                                                    \
  const TileFunctions<Type>& name(InstructionSet set) {                          \
    return choose<TileFunctions<Type>>(set, Prefix##Portable, nullptr, nullptr); \
  }
#endif

SPOKELAB_TABLES(spreadFunctions, float, spreadFloat)
SPOKELAB_TABLES(spreadFunctions, double, spreadDouble)
SPOKELAB_TABLES(interpolateFunctions, float, interpolateFloat)
SPOKELAB_TABLES(interpolateFunctions, double, interpolateDouble)
SPOKELAB_TABLES(storedSpreadFunctions, float, storedSpreadFloat)
SPOKELAB_TABLES(storedSpreadFunctions, double, storedSpreadDouble)
SPOKELAB_TABLES(storedInterpolateFunctions, float, storedInterpolateFloat)
SPOKELAB_TABLES(storedInterpolateFunctions, double, storedInterpolateDouble)

#undef SPOKELAB_TABLES

}  // namespace spokelab
