#include "engine/nufft/exact/nudft_sums_impl.h"

namespace spokelab {
const NudftSums& nudftSumsAvx2() {
  return sums;
}
}  // namespace spokelab
