#include "engine/nufft/spread.h"

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
template <>
const TileFunctions<float>& spreadFunctions(InstructionSet set) {
  return choose(set, spreadFloatPortable, &spreadFloatAvx2, &spreadFloatAvx512);
}
template <>
const TileFunctions<double>& spreadFunctions(InstructionSet set) {
  return choose(set, spreadDoublePortable, &spreadDoubleAvx2, &spreadDoubleAvx512);
}
template <>
const TileFunctions<float>& interpolateFunctions(InstructionSet set) {
  return choose(set, interpolateFloatPortable, &interpolateFloatAvx2, &interpolateFloatAvx512);
}
template <>
const TileFunctions<double>& interpolateFunctions(InstructionSet set) {
  return choose(set, interpolateDoublePortable, &interpolateDoubleAvx2, &interpolateDoubleAvx512);
}
#else
template <>
const TileFunctions<float>& spreadFunctions(InstructionSet set) {
  return choose<TileFunctions<float>>(set, spreadFloatPortable, nullptr, nullptr);
}
template <>
const TileFunctions<double>& spreadFunctions(InstructionSet set) {
  return choose<TileFunctions<double>>(set, spreadDoublePortable, nullptr, nullptr);
}
template <>
const TileFunctions<float>& interpolateFunctions(InstructionSet set) {
  return choose<TileFunctions<float>>(set, interpolateFloatPortable, nullptr, nullptr);
}
template <>
const TileFunctions<double>& interpolateFunctions(InstructionSet set) {
  return choose<TileFunctions<double>>(set, interpolateDoublePortable, nullptr, nullptr);
}
#endif

}  // namespace spokelab
