#include "engine/nufft/exact/nudft_sums_impl.h"

namespace spokelab {
const NudftSums& nudftSumsPortable() {
  return sums;
}
}  // namespace spokelab
