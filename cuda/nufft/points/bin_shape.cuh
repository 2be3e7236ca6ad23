// The bins of an order of points (bin_sort.h), and the bin of a point.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "cuda/nufft/points/bin_size.h"
#include "cuda/nufft/points/locate.cuh"

namespace spokelab::gpu {

struct BinShape {
  int dims;
  std::array<int, 3> grid, bin, bins, padded;
  double halfWidth;
  int bits;                       // of a place (locate.cuh) that hold the fraction of a cell
  int classes;                    // of memory banks, to which a bin's points are dealt; 1: they are not
  std::array<Divider, 3> perBin;  // by `bin`

  std::int64_t binCount() const { return std::int64_t(bins[0]) * bins[1] * bins[2]; }
};

// Bits that a word leaves for the fraction of a cell; more than a double's mantissa would be lost.
template <class Real>
int fractionBits(const MethodSetup<Real>& setup, int wordBits) {
  constexpr int mantissa = 52;
  const auto largest = std::uint32_t(*std::max_element(setup.grid.begin(), setup.grid.end()));
  return std::min(wordBits - int(std::bit_width(largest)), mantissa);
}

// 32 bits suffice if their step is below a tenth of the predicted error. Rounded places have an rms
// of 0.3 steps, and a shift by s cells makes a relative error of at most 1.8 s.
template <class Real>
bool isNarrow(const MethodSetup<Real>& setup) {
  constexpr double shareOfError = 0.1;
  return sizeof(Real) == 4 && std::ldexp(1.0, -fractionBits(setup, 32)) <= shareOfError * setup.predicted;
}

template <class Real>
std::int64_t wordBytes(const MethodSetup<Real>& setup) {
  return isNarrow(setup) ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
}

// The shape of bins of `bin` cells for `points` points, counted over all sets.
template <class Real>
BinShape binShape(const MethodSetup<Real>& setup, const std::array<int, 3>& bin, std::int64_t points) {
  BinShape shape{};
  shape.dims = setup.dims;
  shape.grid = setup.grid;
  shape.halfWidth = 0.5 * setup.width;
  shape.bits = fractionBits(setup, 8 * int(wordBytes(setup)));
  shape.padded = {1, 1, 1};
  for (std::size_t d = 0; d < 3; ++d) {
    shape.bin[d] = std::max(1, bin[d]);
    shape.bins[d] = (shape.grid[d] + shape.bin[d] - 1) / shape.bin[d];
    shape.perBin[d] = Divider(std::uint32_t(shape.bin[d]));
  }
  if (bin[0] > 0) shape.padded = paddedBin(setup, shape.bin);
  // Dealing pays where every class of a bin has some points.
  constexpr int minPointsPerClass = 2, classes = bankClasses<Real>;
  shape.classes = points / (minPointsPerClass * classes) >= setup.sets * shape.binCount() ? classes : 1;
  return shape;
}

template <class Word>
__device__ __forceinline__ Word placeWord(const BinShape& shape, const double* k, int d, int* notFinite) {
  return fixedPlace<Word>(usable(k[d], notFinite), shape.grid[d], shape.halfWidth, shape.bits);
}

// The bin of point j, with its set, and its class of banks as the lowest part.
__device__ __forceinline__ std::uint32_t keyOf(const BinShape& shape, const double* coordinates,
                                               std::int64_t j, const std::uint32_t* setOfPoint,
                                               int* notFinite) {
  std::uint32_t key = setOfPoint ? setOfPoint[j] : 0, inside = 0;
  for (int d = shape.dims - 1; d >= 0; --d) {
    double fraction = 0;
    const int cell = firstCell(usable(coordinates[j * shape.dims + d], notFinite), shape.grid[d],
                               shape.halfWidth, fraction);
    const std::uint32_t bin = shape.perBin[d](std::uint32_t(cell));
    key = key * std::uint32_t(shape.bins[d]) + bin;
    inside =
        inside * std::uint32_t(shape.padded[d]) + std::uint32_t(cell) - bin * std::uint32_t(shape.bin[d]);
  }
  return key * std::uint32_t(shape.classes) + (inside & std::uint32_t(shape.classes - 1));
}

}  // namespace spokelab::gpu
