// The transform with the window of nfft-jl and NFFT3, whose Fourier transform ends where the
// image's repetitions begin: the transform of a Kaiser–Bessel function. The window is not 0 beyond
// its half width m: nfft-jl cuts it off there (2m points a dimension), NFFT3 also takes the next
// cell on either side (2m + 2). Source: [nfft-jl] 3.7.5. Two dimensions, double precision, one
// thread.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/fft/lines_fft.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab {

class BandLimitedNufft {
 public:
  // cells: points of the window a dimension, 2 halfWidth or 2 halfWidth + 2. Throws Error where
  // memory for the grid is missing.
  BandLimitedNufft(const NufftProblem& problem, double alpha, int halfWidth, int cells);
  void setPoints(std::span<const double> points);
  // Throw Cancelled.
  void forward(const cdouble* image, cdouble* samples, const Progress& progress);
  void adjoint(const cdouble* samples, cdouble* image, const Progress& progress);

 private:
  double window(double cells) const;
  template <class Work>  // work(point, cells of x and y, values of x and y)
  void forPoints(const Progress& progress, const Work& work) const;
  template <class Work>  // work(pixel, cell, factor)
  void forPixels(const Work& work) const;

  NufftProblem problem_;
  Index3 grid_;
  double halfWidth_, shape_;  // m, b
  std::size_t cells_;
  std::array<std::vector<double>, 2> factors_;
  BoxFft<double> forward_, adjoint_;
  std::vector<double> points_;  // grid cells, [0, G)
  Buffer<cdouble> cellsOfGrid_;
};

}  // namespace spokelab
