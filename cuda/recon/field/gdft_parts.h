// Splits the inputs of Gdft's float kernels over blocks, and adds the parts of an output. The sum
// of n equal terms, added in turn in single precision, errs by about u n / 6. A tile's terms, and
// the few tiles of a part, are added so; parts are added in double and rounded once. Atomic
// additions join the parts in a random order. If every run must give the same bits, each part
// writes one row instead, and rows are added in their order. The number of parts depends only on
// sizes.
#pragma once

#include <algorithm>
#include <cstdint>

#include <cuda_runtime.h>

#include "cuda/device/buffer.h"
#include "cuda/recon/field/gdft_arrays.h"
#include "engine/recon/field/gdft/gdft_problem.h"

namespace spokelab::gpu {

// Blocks of a launch: 80 for each multiprocessor of an H100 (132). With this number of waves the
// last, partly filled wave costs little.
inline constexpr int wantedBlocks = 132 * 80;
// This number of tile sums, added in float, loses less than a tile with the same number of terms.
inline constexpr std::int64_t maxTilesPerPart = 64;
inline constexpr std::int64_t maxParts = 65535;  // gridDim.y

// Number of parts that `units` are divided into. `blocks` blocks work on each part, about `wanted`
// in all, so that the device is filled. A part has at most `most` units, except where this would
// take more than maxParts parts.
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

inline std::int64_t partsOf(std::int64_t inputs, std::int64_t length) {
  return (inputs + length - 1) / length;
}

// The sums of a transform's outputs, on the device.
class GdftSums {
 public:
  explicit GdftSums(bool reproducible) : reproducible_(reproducible) {}

  // Clears the sums of `outputs` outputs.
  void begin(std::int64_t outputs, cudaStream_t stream);

  // Adds `parts` parts: launch(target, rows) runs the kernel with gridDim.y = rows. Where rows of
  // all parts would take more than maxGdftRowBytes, they are filled in several launches.
  template <class Launch>
  void add(std::int64_t parts, cudaStream_t stream, const Launch& launch) {
    GdftTarget target{sums_.data(), nullptr, sums_.size(), 0};
    std::int64_t atOnce = std::min(parts, maxParts);
    if (reproducible_) {
      const std::int64_t rowBytes = sums_.size() * std::int64_t(sizeof(float2));
      atOnce = std::clamp<std::int64_t>(maxGdftRowBytes / rowBytes, 1, atOnce);
      rows_.resize(atOnce * sums_.size());
      target.rows = rows_.data();
    }
    for (std::int64_t first = 0; first < parts; first += atOnce) {
      const std::int64_t rows = std::min(atOnce, parts - first);
      target.firstPart = int(first);
      launch(target, unsigned(rows));
      if (reproducible_) addRows(rows, stream);
    }
  }

  // out_i = the sum of output i, rounded.
  void round(float2* out, cudaStream_t stream) const;

 private:
  // Adds rows to the sums, one after the other.
  void addRows(std::int64_t rows, cudaStream_t stream);

  bool reproducible_ = false;
  DeviceBuffer<double2> sums_;
  DeviceBuffer<float2> rows_;
};

}  // namespace spokelab::gpu
