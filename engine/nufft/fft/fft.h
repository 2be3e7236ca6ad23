// The pruned Fourier transforms between an image and its oversampled grid.
//
//   toGrid (forward: deapodize, pad, transform, fill halo)
//             g(m) = sum_n d(n) f(n) e^{sign 2 pi i n.m/G}
//   toImage (adjoint: fold halo, transform, crop, deapodize)
//             f(n) = d(n) sum_m g(m) e^{-sign 2 pi i n.m/G}
//
// with d the deapodization factors, n_d = -floor(N_d/2) ..., pixel n at cell n modulo G. Each
// dimension is a pass of one-dimensional transforms over the lines that are not all zeros:
// x-lines of N_y N_z rows, y-lines of N_z planes, z-lines of all columns; x and y of a plane follow
// each other while it is in the cache. Columns are gathered into contiguous lines a block at a
// time, transformed there, and scattered; padding, cropping, factors and the halo in z are part of
// the copies. A one-dimensional problem is one transform by the library's threads, which run on
// our pool.
// The grids of a few images may be interleaved (spread_interleaved.h): a plane then has one set of
// columns for each image, and rows use the same transposing copies as columns.
#pragma once

#include <array>
#include <complex>
#include <memory>
#include <vector>

#include "engine/nufft/points/grid_layout.h"
#include "engine/nufft/problem/options.h"

namespace spokelab {

template <class Real>
class GridFft {
 public:
  using Complex = std::complex<Real>;

  // factors: for each dimension d(n), n ascending. sign: of the forward exponent. imagesPerCell:
  // images that are interleaved in the grid; more than one for two or three dimensions only.
  // effort: of FFTW's planner.
  GridFft(const Index3& imageSize, const GridLayout& layout,
          const std::array<std::vector<double>, 3>& factors, int sign, int threads, int imagesPerCell = 1,
          FftEffort effort = FftEffort::estimate);
  ~GridFft();

  // image: `images` of them, at most imagesPerCell, one after the other. toGrid fills every cell
  // that a point can touch; numbers of a cell that have no image become zeros.
  void toGrid(const Complex* image, Complex* grid, int images = 1) const;
  // Destroys the grid.
  void toImage(Complex* grid, Complex* image, int images = 1) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

extern template class GridFft<float>;
extern template class GridFft<double>;

}  // namespace spokelab
