// Default size of bins, and the memory that a bin takes with the kernel's overhang.
// Source: [cufinufft] remark 1 (bins of 32 x 32 and 16 x 16 x 2 cells).
#pragma once

#include <algorithm>
#include <string>

#include "cuda/nufft/method.h"

namespace spokelab::gpu {

// The options' bins where given, else `otherwise`; never more than half the grid (a padded bin then
// wraps round at most once), 1 beyond the problem's dimensions.
template <class Real>
std::array<int, 3> binsOr(const MethodSetup<Real>& setup, const std::array<int, 3>& otherwise) {
  std::array<int, 3> bin{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(setup.dims); ++d) {
    const std::int64_t wanted = setup.bins[d] > 0 ? setup.bins[d] : otherwise[d];
    bin[d] = int(std::clamp<std::int64_t>(wanted, 1, std::max(1, setup.grid[d] / 2)));
  }
  return bin;
}

// Default bins of the methods that sort points, in 2-D and 3-D [cufinufft]'s.
template <class Real>
std::array<int, 3> sortBins(const MethodSetup<Real>& setup) {
  switch (setup.dims) {
    case 1:
      return binsOr(setup, {1024, 1, 1});
    case 2:
      return binsOr(setup, {32, 32, 1});
    default:
      return binsOr(setup, {16, 16, 2});
  }
}

// Cells of a bin with the kernel's overhang, bin + ceil(W) - 1 per dimension.
template <class Real>
std::array<int, 3> paddedBin(const MethodSetup<Real>& setup, const std::array<int, 3>& bin) {
  std::array<int, 3> padded{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(setup.dims); ++d) padded[d] = bin[d] + setup.kernelCells() - 1;
  return padded;
}

inline std::int64_t volume(const std::array<int, 3>& n) {
  return std::int64_t(n[0]) * n[1] * n[2];
}

// Number of bins of that size that cover the grid.
template <class Real>
std::int64_t binCountOf(const MethodSetup<Real>& setup, const std::array<int, 3>& bin) {
  std::int64_t count = 1;
  for (std::size_t d = 0; d < 3; ++d) count *= (setup.grid[d] + bin[d] - 1) / bin[d];
  return count;
}

// Bytes of shared memory that a block may take where `blocks` share a multiprocessor, so that some
// compute while others load or add their tile.
inline std::int64_t sharedOfBlock(const DeviceLimits& device, int blocks) {
  return std::min(device.sharedPerBlock, device.sharedPerMultiprocessor / blocks);
}

// `bin`, its longest side halved until the padded bin takes at most `bytes` of shared memory at
// `cellBytes` a cell. A bin of one cell may still be too large: the method then refuses.
template <class Real>
std::array<int, 3> fittingBin(const MethodSetup<Real>& setup, std::array<int, 3> bin, std::int64_t cellBytes,
                              std::int64_t bytes) {
  while (volume(paddedBin(setup, bin)) * cellBytes > bytes && volume(bin) > 1) {
    const auto longest = std::max_element(bin.begin(), bin.end());
    *longest = (*longest + 1) / 2;
  }
  return bin;
}

}  // namespace spokelab::gpu
