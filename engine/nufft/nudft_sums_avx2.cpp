#include "engine/nufft/nudft_sums_impl.h"

namespace spokelab {
const NudftSums& nudftSumsAvx2() {
  return sums;
}
}  // namespace spokelab
