// Bin sizes and task sizes where the options leave them open, and small helpers that methods share.
// Sources: papers/cufinufft, remark 1 (32 x 32, 16 x 16 x 2, M_sub 1024); papers/gnufftw IV.B.2 (sectors of
// 8).
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "cuda/nufft/method.h"

namespace spokelab::gpu {

inline constexpr int defaultSubproblem = 1024;

template <class Real>
int3 gridSize3(const MethodSetup<Real>& setup) {
  return make_int3(setup.grid[0], setup.grid[1], setup.grid[2]);
}

/// ceil(W)^dims.
template <class Real>
double touchedCells(const MethodSetup<Real>& setup) {
  return std::pow(double(setup.kernelCells()), setup.dims);
}

/// The options' bins where given, else `otherwise`; never more than half the grid (a padded bin then wraps
/// round at most once), 1 beyond the problem's dimensions.
template <class Real>
std::array<int, 3> binsOr(const MethodSetup<Real>& setup, const std::array<int, 3>& otherwise) {
  std::array<int, 3> bin{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(setup.dims); ++d) {
    const std::int64_t wanted = setup.bins[d] > 0 ? setup.bins[d] : otherwise[d];
    bin[d] = int(std::clamp<std::int64_t>(wanted, 1, std::max(1, setup.grid[d] / 2)));
  }
  return bin;
}

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

/// Cells of a bin with the kernel's overhang, bin + ceil(W) - 1 per dimension.
template <class Real>
std::array<int, 3> paddedBin(const MethodSetup<Real>& setup, const std::array<int, 3>& bin) {
  std::array<int, 3> padded{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(setup.dims); ++d) padded[d] = bin[d] + setup.kernelCells() - 1;
  return padded;
}

inline std::int64_t volume(const std::array<int, 3>& n) {
  return std::int64_t(n[0]) * n[1] * n[2];
}

/// Number of bins of that size that cover the grid.
template <class Real>
std::int64_t binCountOf(const MethodSetup<Real>& setup, const std::array<int, 3>& bin) {
  std::int64_t count = 1;
  for (std::size_t d = 0; d < 3; ++d) count *= (setup.grid[d] + bin[d] - 1) / bin[d];
  return count;
}

/// `bin`, its longest side halved until the padded bin takes at most `bytes` of shared memory at `cellBytes`
/// a cell. A bin of one cell may still be too large: the caller refuses then.
template <class Real>
std::array<int, 3> fittingBin(const MethodSetup<Real>& setup, std::array<int, 3> bin, std::int64_t cellBytes,
                              std::int64_t bytes) {
  while (volume(paddedBin(setup, bin)) * cellBytes > bytes && volume(bin) > 1) {
    const auto longest = std::max_element(bin.begin(), bin.end());
    *longest = (*longest + 1) / 2;
  }
  return bin;
}

template <class Real>
int subproblemSize(const MethodSetup<Real>& setup) {
  return setup.maxSubproblem > 0 ? setup.maxSubproblem : defaultSubproblem;
}

inline std::string binText(const std::array<int, 3>& bin) {
  return std::to_string(bin[0]) + "x" + std::to_string(bin[1]) + "x" + std::to_string(bin[2]);
}

inline std::string tooLittleShared(std::int64_t bytes, int available) {
  return "a tile with the kernel's overhang takes " + std::to_string(bytes / 1024) +
         " KB of shared memory, a block has " + std::to_string(available / 1024) + " KB";
}

}  // namespace spokelab::gpu
