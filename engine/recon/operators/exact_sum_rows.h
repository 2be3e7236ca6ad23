// The memory of a GPU that reproducible exact sums take beside their images and samples.
#pragma once

#include <cstdint>

namespace spokelab {

// Parts of the sums of a problem in float take at most these bytes, or half of the bytes of the
// sums where that is more.
inline constexpr std::int64_t maxGdftRowBytes = std::int64_t(32) << 20;

}  // namespace spokelab
