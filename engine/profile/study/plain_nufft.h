// The transform as the first programs computed it ([multicore-nufft] Fig. 2): one thread, one point
// after the other in the order given, kernel values and cells first (part 1), then the sum over the
// cells (part 2). No tiles, and no vectors but those that the compiler finds. The baseline of the
// studies of multicore-nufft, and nfft-jl's kernels wider than our loops.
#pragma once

#include <array>
#include <complex>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/progress.h"
#include "engine/core/stage_timer.h"
#include "engine/nufft/fft/lines_fft.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/spread/kernels/kernel_source.h"

namespace spokelab {

template <class Real>
class PlainNufft {
 public:
  using Complex = std::complex<Real>;

  // Uses the options alpha, width, kernel, accuracy (bound of the polynomial's or table's error),
  // precomputation, and the method `sparse`, which stores all weights of all points. Throws Error
  // as KernelSource does.
  PlainNufft(const NufftProblem& problem, const NufftOptions& options);

  // Throws Error where stored values do not fit into memory.
  void setPoints(std::span<const double> points);
  // Throw Cancelled between two points; the result is then unfinished.
  void forward(const Complex* image, Complex* samples, const Progress& progress);
  void adjoint(const Complex* samples, Complex* image, const Progress& progress);
  // Seconds of part 1 alone, for all points.
  double kernelSeconds(const Progress& progress) const;

  const Index3& grid() const { return grid_; }
  std::int64_t count() const { return std::int64_t(points_.size()) / problem_.dims; }

 private:
  static constexpr std::size_t maxCells = 24;
  // Part 1 of a point: the kernel's values and the cells they belong to, for each dimension.
  struct Reach {
    std::array<std::array<Real, maxCells>, 3> value;
    std::array<std::array<std::int64_t, maxCells>, 3> cell;
  };

  void reachOf(std::int64_t point, Reach& reach) const;
  void storeValues();
  void storeMatrix();
  void multiply(Complex* samples, const Progress& progress) const;
  void multiplyTransposed(const Complex* samples, const Progress& progress);
  std::int64_t entriesOfPoint() const { return std::int64_t(cells_[0] * cells_[1] * cells_[2]); }
  void values(Real fraction, Real* to) const;
  template <class Work>  // work(point, reach)
  void forPoints(const Progress& progress, const Work& work) const;
  template <class Work>  // work(pixel, cell, factor)
  void forPixels(const Work& work) const;

  NufftProblem problem_;
  Kernel kernel_;
  Index3 grid_;
  KernelPolynomial polynomial_;
  Precomputation precomputation_;
  std::unique_ptr<const KernelSource<Real>> source_;  // linear: the table
  std::array<std::size_t, 3> cells_{1, 1, 1};
  std::array<std::vector<double>, 3> factors_;
  BoxFft<Real> forward_, adjoint_;
  std::vector<Real> points_;  // grid cells, [0, G)
  const bool storesMatrix_;
  Buffer<Real> stored_;           // `tensor`: kernel values [point, dimension, cell]
  Buffer<Real> weights_;          // `sparse`: [point, entry]
  Buffer<std::uint32_t> places_;  // the weights' cells of the grid
  Buffer<Complex> cellsOfGrid_;
};

extern template class PlainNufft<float>;
extern template class PlainNufft<double>;

}  // namespace spokelab
