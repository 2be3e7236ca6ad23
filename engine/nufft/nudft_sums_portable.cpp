#include "engine/nufft/nudft_sums_impl.h"

namespace spokelab {
const NudftSums& nudftSumsPortable() {
  return sums;
}
}  // namespace spokelab
