// How the float kernels of Gdft split their inputs over blocks, and how the parts of an output
// meet. n equal terms, added one after the other in single precision, are off by about u n / 6: a
// tile's terms, and the few tiles of a part, are added so; parts are added in double and rounded
// once.
#pragma once

#include <algorithm>
#include <cstdint>

#include <cuda_runtime.h>

namespace spokelab::gpu {

// Blocks of a launch: 80 for each multiprocessor of an H100 (132), so many waves that the last one,
// partly filled, costs little.
inline constexpr int wantedBlocks = 132 * 80;
// So many sums of tiles, added in float, lose less than a tile of as many terms.
inline constexpr std::int64_t maxTilesPerPart = 64;
inline constexpr std::int64_t maxParts = 65535;  // gridDim.y, gridDim.z

// Parts of `units` that `blocks` blocks each work on, so that the device is filled and no part has
// more than `most` units.
inline std::int64_t partsFor(std::int64_t units, std::int64_t blocks, std::int64_t wanted,
                             std::int64_t most) {
  const std::int64_t fewest = std::min((units + most - 1) / most, maxParts);
  return std::clamp(wanted / std::max<std::int64_t>(blocks, 1), fewest, units);
}

// Inputs a part, in whole tiles.
inline std::int64_t partLength(std::int64_t inputs, int tile, std::int64_t blocks) {
  const std::int64_t tiles = (inputs + tile - 1) / tile;
  const std::int64_t parts = partsFor(tiles, blocks, wantedBlocks, maxTilesPerPart);
  return (tiles + parts - 1) / parts * tile;
}

inline unsigned partsOf(std::int64_t inputs, std::int64_t length) {
  return unsigned((inputs + length - 1) / length);
}

// out_i = sums_i, rounded.
void launchRound(const double2* sums, float2* out, std::int64_t count, cudaStream_t stream);

}  // namespace spokelab::gpu
