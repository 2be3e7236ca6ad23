// Full precomputation ([nfft-jl] 3.7.4, [gnufftw] IV.B): interpolation and spreading as products
// with sparse matrices, every entry computed when points are set.
//   Gamma      [point, grid cell], SparseInterpolation: each row has ceil(W)^d entries
//   Gamma^T    [grid cell, point], SparseSpreading: each row has one entry for each point whose
//              kernel reaches the cell; the cells of the halo have rows, too
// Images of a batch may be interleaved in the grid (spread_interleaved.h): the matrix is then
// multiplied with one column for each image, and each entry is read once for all of them. Each
// direction has a separate matrix, so that both run through rows without races. An entry takes a
// real number and a 32-bit index; estimate() tells the bytes before they are allocated.
#pragma once

#include <complex>

#include "engine/nufft/spread/kernels/kernel_source.h"
#include "engine/nufft/spread/kernels/spread_interleaved.h"

namespace spokelab {

template <class Real>
class SparseInterpolation {
 public:
  using Complex = std::complex<Real>;

  // Throws Error where cells or points are too many for 32-bit indices.
  void setPoints(const SortedPoints<Real>& points, const GridLayout& layout, const KernelSource<Real>& source,
                 int threads);
  // Samples by source index, or in sorted order, an image after the other.
  void apply(const Complex* grid, Complex* samples, bool sorted, int threads,
             const ImageSet& images = {}) const;

  std::int64_t bytes() const;
  // kernelCells: ceil(W), the cells that a kernel reaches along each dimension.
  static std::int64_t estimate(int dims, int kernelCells, std::int64_t points);

 private:
  // perCell: images in a grid cell, 1 or interleavedImages.
  template <int perCell>
  void applyRows(const Complex* grid, Complex* samples, bool sorted, int threads,
                 const ImageSet& images) const;

  std::int64_t count_ = 0, perRow_ = 0;  // points; entries of a row
  Buffer<Real> value_;                   // [point][z, y, x]
  Buffer<std::uint32_t> column_;         // cell
  Buffer<std::int64_t> source_;          // of each sorted point
};

template <class Real>
class SparseSpreading {
 public:
  using Complex = std::complex<Real>;

  // Throws Error where cells or points are too many for 32-bit indices.
  void setPoints(const SortedPoints<Real>& points, const GridLayout& layout, const KernelSource<Real>& source,
                 int threads);
  // Writes every cell of the grid. Not for two threads at once: it may sort samples into samples_.
  void apply(const Complex* samples, bool sorted, Complex* grid, int threads, const ImageSet& images = {});

  std::int64_t bytes() const;
  // images: interleaved in a cell.
  static std::int64_t estimate(int dims, int kernelCells, std::int64_t points, std::int64_t gridCells,
                               int images = 1);

 private:
  void gather(const Complex* samples, bool sorted, int threads, const ImageSet& images);
  template <int perCell>
  void applyRows(const Complex* samples, Complex* grid, int threads) const;

  std::int64_t count_ = 0;
  Buffer<std::int64_t> rowBegin_;  // [grid cells + 1]
  Buffer<Real> value_;
  Buffer<std::uint32_t> column_;  // sorted point
  Buffer<std::int64_t> source_;   // of each sorted point
  // [sorted point][image], where samples are not given in this order.
  Buffer<Complex> samples_;
};

extern template class SparseInterpolation<float>;
extern template class SparseInterpolation<double>;
extern template class SparseSpreading<float>;
extern template class SparseSpreading<double>;

}  // namespace spokelab
