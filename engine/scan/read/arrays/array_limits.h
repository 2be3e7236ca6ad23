// Counts that an acquisition header can hold: arrays are read as acquisitions.
#pragma once

#include <cstdint>
#include <limits>

namespace spokelab {

inline constexpr std::int64_t maxShotSamples = std::numeric_limits<std::uint16_t>::max();
inline constexpr std::int64_t maxArrayCount = maxShotSamples + 1;  // of a counter from 0

}  // namespace spokelab
