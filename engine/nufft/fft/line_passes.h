// Lines that the GPU transforms in passes of its own (cuda/nufft/fft/line_pass.h), one axis at a time. A grid
// of such lines needs no plan of an FFT library, which takes longer to make than everything else of a GPU plan: the cost
// model has to know which grids these are.
#pragma once

#include <algorithm>
#include <iterator>

#include "engine/nufft/problem/problem.h"

namespace spokelab {

// Lengths with passes, ascending.
inline constexpr int passLengths[] = {64,  96,  128, 144, 160, 180, 192, 216, 240,
                                      256, 288, 320, 360, 384, 400, 432, 480, 512};
// Longer lengths, whose passes pad and crop alone: for 2-D images of more than 512 pixels a side.
inline constexpr int longPassLengths[] = {576, 600,  640,  720,  768,  800,  864,  900,
                                          960, 1024, 1080, 1152, 1200, 1280, 1296, 1440};

inline bool hasLinePass(std::int64_t length) {
  const auto holds = [&](const auto& list) {
    return std::find(std::begin(list), std::end(list), length) != std::end(list);
  };
  return holds(passLengths) || holds(longPassLengths);
}

// Whether all axes between an image of this size and a grid are transformed in such passes.
inline bool hasGridPasses(Precision precision, int dims, const Index3& size, const Index3& grid) {
  if (precision == Precision::dbl || dims < 2) return false;
  for (std::size_t d = 0; d < std::size_t(dims); ++d)
    if (!hasLinePass(grid[d]) || size[d] < 2 || size[d] > grid[d]) return false;
  return true;
}

}  // namespace spokelab
