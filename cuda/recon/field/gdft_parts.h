// How the tiled kernels of Gdft split their inputs over blocks.
#pragma once

#include <algorithm>
#include <cstdint>

namespace spokelab::gpu {

// Blocks of a launch: 80 for each multiprocessor of an H100 (132), so many waves that the last one,
// partly filled, costs little.
inline constexpr int wantedBlocks = 132 * 80;

// Inputs a part, in whole tiles, so that blocks x parts fill the device.
inline std::int64_t partLength(std::int64_t inputs, int tile, std::int64_t blocks) {
  const std::int64_t tiles = (inputs + tile - 1) / tile;
  const std::int64_t parts =
      std::clamp<std::int64_t>(wantedBlocks / std::max<std::int64_t>(blocks, 1), 1, tiles);
  return (tiles + parts - 1) / parts * tile;
}

inline unsigned partsOf(std::int64_t inputs, std::int64_t length) {
  return unsigned((inputs + length - 1) / length);
}

}  // namespace spokelab::gpu
