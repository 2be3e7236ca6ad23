// Splits a cell's offset from the first cell of its tile, x + strideY y + strideZ z with the
// strides of the grid, into x, y and z, without a division. Loops call it for each point.
#pragma once

#include <cstdint>

#include "engine/nufft/points/grid_layout.h"

namespace spokelab {

struct CellPosition {
  std::uint32_t x = 0, y = 0, z = 0;
};

template <int dims>
class OffsetSplit {
 public:
  explicit OffsetSplit(const GridLayout& layout)
      : strideY_(static_cast<std::uint32_t>(layout.stride[1])),
        strideZ_(static_cast<std::uint32_t>(layout.stride[2])),
        perY_(1.0 / static_cast<double>(layout.stride[1])),
        perZ_(1.0 / static_cast<double>(layout.stride[2])) {}

  CellPosition operator()(std::uint32_t offset) const {
    CellPosition at;
    if constexpr (dims > 2) {
      at.z = quotient(offset, perZ_);
      offset -= at.z * strideZ_;
    }
    if constexpr (dims > 1) {
      at.y = quotient(offset, perY_);
      offset -= at.y * strideY_;
    }
    at.x = offset;
    return at;
  }

 private:
  // Adding half makes this exact for all offsets of 32 bits; it is faster than dividing.
  static std::uint32_t quotient(std::uint32_t n, double perStep) {
    return static_cast<std::uint32_t>((n + 0.5) * perStep);
  }

  std::uint32_t strideY_, strideZ_;
  double perY_, perZ_;
};

}  // namespace spokelab
