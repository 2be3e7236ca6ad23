// Everything of a CPU plan that follows from problem and options alone: kernel, grid, tiles, and
// the memory they take.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/points/grid_layout.h"
#include "engine/nufft/spread/kernels/kernel_source.h"

namespace spokelab {

template <class Real>
struct CpuPlanDesign {
  NufftOptions options;  // resolved; only `normal` may stay automatic until there are points
  Kernel kernel;
  Index3 grid;
  KernelPolynomial polynomial;
  std::shared_ptr<const KernelSource<Real>> source;  // null: the loops evaluate kernel values
  GridLayout layout;
  PredictedError error;

  // Throws Error: options out of range, accuracy out of reach, a GPU's method, too large a grid.
  CpuPlanDesign(const NufftProblem& problem, const NufftOptions& asked);

  // Kernel values for the entries of sparse matrices: `source`, or the polynomials.
  std::shared_ptr<const KernelSource<Real>> matrixSource() const;
  // Deapodization factors of each dimension, one a pixel (deapodization.h).
  std::array<std::vector<double>, 3> factors(const NufftProblem& problem) const;
  bool sparse() const { return options.spread == Method::sparse || options.interpolate == Method::sparse; }
  // Deviation of the loops' kernel values from the kernel (KernelPolynomial::deviation).
  double deviation() const { return source ? source->deviation() : polynomial.deviation; }
  // Bytes that the plan may take: the limit asked for, else a quarter of the machine's memory, or
  // half of it where sparse matrices are made.
  std::int64_t memoryBudget() const;
  // Images of a batch that are interleaved: interleavedImages (spread_interleaved.h), or 1 where
  // the options ask for that, the batch is small, or the memory budget has no room for so large a
  // grid and the points.
  int interleaved(const NufftProblem& problem, std::int64_t points) const;
  // Images of a batch of lines (1-D) that have grids side by side, each transformed by one thread:
  // all threads at one line wake up longer than they work. 1: one by one, by all threads.
  int sideBySide(const NufftProblem& problem) const;
  // Cells from one grid to the next one: FFTW asks for aligned arrays.
  std::int64_t gridStep() const {
    constexpr std::int64_t line = 64 / std::int64_t{sizeof(std::complex<Real>)};
    return (layout.cells + line - 1) / line * line;
  }
  // What a plan's grid holds: interleaved images, or lines side by side.
  int imagesTogether(const NufftProblem& problem, std::int64_t points) const {
    return problem.dims == 1 ? sideBySide(problem) : interleaved(problem, points);
  }
  // Bytes of a grid for `images` images, points, stored kernel values, and sparse matrices.
  std::int64_t gridMemory(std::int64_t points, int images = 1) const;
  // The same with a Toeplitz normal operator, where one is asked for, and the bytes that making it
  // needs for a moment.
  std::int64_t memory(const NufftProblem& problem, std::int64_t points, int images) const;
  std::int64_t memory(const NufftProblem& problem, std::int64_t points) const {
    return memory(problem, points, imagesTogether(problem, points));
  }
  // Throws Error if this memory is over the user's limit, or if the machine lacks it beside the
  // `held` bytes that the plan already has.
  void requireRoom(const NufftProblem& problem, std::int64_t points, int images, std::int64_t held) const;
};

// "cpu blocked, 2 threads, AVX-512, tiles 32x16x16"; layout: of the points, once there are some.
template <class Real>
std::string describeDesign(const CpuPlanDesign<Real>& design, const GridLayout& layout);

extern template struct CpuPlanDesign<float>;
extern template struct CpuPlanDesign<double>;

}  // namespace spokelab
