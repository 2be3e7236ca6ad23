#include "engine/nufft/nufft.h"

#include "engine/core/memory/memory_ceiling.h"

namespace spokelab {

MemoryCeiling NufftBackend::memoryCeiling(const Progress& progress) const {
  return measureCopyCeiling(0, progress);
}

}  // namespace spokelab
