// The memory of a GPU that reproducible exact sums take beside their images and samples.
#pragma once

#include <cstdint>

namespace spokelab {

// A reproducible sum in float keeps the parts that it adds in rows, a number of each output in a
// row. All rows take at most these bytes, or one row where it is longer. A row takes half of the
// bytes of the sums, which are in double.
inline constexpr std::int64_t maxGdftRowBytes = std::int64_t(32) << 20;

}  // namespace spokelab
