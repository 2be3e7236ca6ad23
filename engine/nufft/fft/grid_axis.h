// One dimension of the pruned transforms (fft.h): its sizes, deapodization factors and transforms.
#pragma once

#include <algorithm>
#include <complex>
#include <vector>

#include "engine/nufft/fft/lines_fft.h"

namespace spokelab {

template <class Real>
struct GridAxis {
  using Complex = std::complex<Real>;

  std::int64_t pixels = 1, negative = 0, cells = 1;  // negative: pixels with n < 0
  // Deapodization factors, in the order of the image's pixels.
  std::vector<Real> factor;
  // Transforms of a block of lines, in the grid itself for one dimension; [forward, adjoint].
  LinesFft<Real> lines[2];
  std::int64_t pitch = 0;       // from line to line in a block
  std::int64_t resultFrom = 0;  // in a block, where transform() leaves its lines; 0: in place

  GridAxis() = default;
  // lineCount: lines of a block. threads: of one transform.
  GridAxis(std::int64_t imageSize, std::int64_t gridSize, const std::vector<double>& factors, int sign,
           int lineCount, int threads, FftEffort effort)
      : pixels(imageSize), negative(imageSize / 2), cells(gridSize), factor(factors.begin(), factors.end()) {
    constexpr std::int64_t cellsPerLine = 64 / sizeof(Complex);
    pitch = ((cells + cellsPerLine - 1) / cellsPerLine | 1) * cellsPerLine;
    const std::int64_t block = pitch * lineCount;
    const bool inPlace = lineCount == 1 || !fitsTwice(block * std::int64_t{sizeof(Complex)});
    if (!inPlace) resultFrom = block;
    for (const int direction : {0, 1}) {
      lines[direction] = LinesFft<Real>(static_cast<int>(cells), lineCount, static_cast<int>(pitch),
                                        direction == 0 ? sign : -sign, threads,
                                        inPlace ? FftTarget::inPlace : FftTarget::otherArray, effort);
    }
  }

  // Numbers of a block, with room for the result beside it.
  std::int64_t blockSize(int lineCount) const { return resultFrom > 0 ? 2 * resultFrom : pitch * lineCount; }
  // Transforms the lines of a block; returns the place of the results, in the block or behind it.
  Complex* transform(int direction, Complex* block) const {
    lines[direction].execute(block, block + resultFrom);
    return block + resultFrom;
  }

  std::int64_t positive() const { return pixels - negative; }
  std::int64_t cellOf(std::int64_t pixel) const {
    return pixel < negative ? cells - negative + pixel : pixel - negative;
  }

  // A row of the image, times factors and scale, to the cells of its pixels; zeros to all others.
  void pad(const Complex* image, Real scale, Complex* row) const {
    for (std::int64_t n = 0; n < positive(); ++n) {
      row[n] = image[negative + n] * (factor[static_cast<std::size_t>(negative + n)] * scale);
    }
    std::fill(row + positive(), row + cells - negative, Complex(0));
    Complex* low = row + cells - negative;
    for (std::int64_t n = 0; n < negative; ++n) {
      low[n] = image[n] * (factor[static_cast<std::size_t>(n)] * scale);
    }
  }

  // The reverse: the cells of the pixels, times factors and scale, to a row of the image.
  void crop(const Complex* row, Real scale, Complex* image) const {
    const Complex* low = row + cells - negative;
    for (std::int64_t n = 0; n < negative; ++n) {
      image[n] = low[n] * (factor[static_cast<std::size_t>(n)] * scale);
    }
    for (std::int64_t n = 0; n < positive(); ++n) {
      image[negative + n] = row[n] * (factor[static_cast<std::size_t>(negative + n)] * scale);
    }
  }
};

}  // namespace spokelab
