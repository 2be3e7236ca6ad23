#include "engine/nufft/nufft.h"

#include "engine/core/error.h"
#include "engine/core/memory/memory_ceiling.h"

namespace spokelab {

template <class Real>
void Nufft<Real>::setWorkspace(void* memory, std::int64_t) {
  if (memory)
    throw Error("Cannot work in the caller's memory", "this plan takes none: " + info().description,
                "Leave the memory to the plan");
}

template class Nufft<float>;
template class Nufft<double>;

MemoryCeiling NufftBackend::memoryCeiling(const Progress& progress) const {
  return measureCopyCeiling(0, progress);
}

}  // namespace spokelab
