// The pruned Fourier transforms between an image and its oversampled grid.
//
//   toGrid:   g(m) = sum_n d(n) f(n) e^{sign 2 pi i n.m/G}        (forward: deapodize, pad, transform, fill halo)
//   toImage:  f(n) = d(n) sum_m g(m) e^{-sign 2 pi i n.m/G}       (adjoint: fold halo, transform, crop, deapodize)
//
// with d the deapodization factors, n_d = -floor(N_d/2) ..., pixel n at cell n modulo G. Each dimension is a pass of
// one-dimensional transforms over the lines that hold anything but zeros: x-lines of N_y N_z rows, y-lines of N_z
// planes, z-lines of all columns; x and y of a plane follow each other while it is in the cache. Columns are
// gathered into contiguous lines a block at a time, transformed there, and scattered; padding, cropping, factors
// and the halo in z are part of the copies. One-dimensional problems are one transform with FFTW's threads, which
// run on our pool.
// The grids of several images may lie side by side, cell by cell (spread_together.h): columns are then as many times
// more, and rows go through the same transposing copies as columns.
#pragma once

#include <array>
#include <complex>
#include <memory>
#include <vector>

#include "engine/nufft/points/grid_layout.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

template <class Real>
class GridFft {
 public:
  using Complex = std::complex<Real>;

  // factors: for each dimension d(n), n ascending. sign: of the forward exponent. sideBySide: numbers in a cell of the
  // grid; more than one for two or three dimensions only.
  GridFft(const Index3& imageSize, const GridLayout& layout,
          const std::array<std::vector<double>, 3>& factors, int sign, int threads, int sideBySide = 1);
  ~GridFft();

  // images: that there are, at most those of a cell; one after the other. What has no image becomes zeros.
  void toGrid(const Complex* image, Complex* grid,
              int images = 1) const;                                  // every cell that a point can touch
  void toImage(Complex* grid, Complex* image, int images = 1) const;  // destroys the grid

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

extern template class GridFft<float>;
extern template class GridFft<double>;

}  // namespace spokelab
