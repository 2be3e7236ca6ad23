// A 1-D grid's FFT by passes of our own, deapodization, padding and cropping included (grid_fft.h):
// a short line in one kernel (block_line.h), a longer one in two (split_line.h).
#pragma once

#include <array>
#include <vector>

#include "cuda/device/buffer.h"
#include "cuda/nufft/fft/block_line.h"
#include "cuda/nufft/fft/split_line.h"
#include "engine/nufft/kernel/grid_size.h"

namespace spokelab::gpu {

template <class Real>
class GridLine {
 public:
  // True if our passes have this length. sharedPerBlock: bytes of shared memory of a block.
  static bool serves(int pixels, int cells, int sharedPerBlock);
  // factor: x, y and z as for GridFft.
  GridLine(int pixels, int cells, const std::array<std::vector<double>, 3>& factor, cudaStream_t stream);

  // As GridFft's functions of the same name; `energy` is added to.
  void toGrid(const Complex<Real>* image, Complex<Real>* grid, std::int64_t images, int sign, int* notFinite,
              double* energy, cudaStream_t stream) const;
  void toImage(Complex<Real>* grid, Complex<Real>* image, std::int64_t images, int sign, int* notFinite,
               cudaStream_t stream) const;
  // Bytes that toGrid() or toImage() reads and writes.
  double bytesMoved(std::int64_t images) const;
  std::int64_t memory() const { return turns_.bytes() + factors_.bytes(); }

 private:
  BlockLine whole(bool swap, std::int64_t images) const;
  LineFactors<Real> factors(int* notFinite, double* energy) const;
  Lines columns(bool swapIn, bool swapOut) const;
  SplitLine<Real> rows(bool swapIn, bool swapOut) const;
  const Complex<Real>* columnTurns() const { return turns_.data() + split_.row; }

  int pixels_, cells_;
  SplitLengths split_;
  LineStages stages_;                  // where it is not split
  DeviceBuffer<Complex<Real>> turns_;  // of the line; split: of a row, of a column, fine, coarse
  DeviceBuffer<Real> factors_;         // x, y, z
};

}  // namespace spokelab::gpu
