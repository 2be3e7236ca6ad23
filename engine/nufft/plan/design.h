// Everything of a CPU plan that follows from problem and options alone: kernel, grid, tiles, and what they take.
#pragma once

#include <memory>
#include <string>

#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/points/grid_layout.h"
#include "engine/nufft/spread/kernels/kernel_source.h"

namespace spokelab {

template <class Real>
struct CpuPlanDesign {
  NufftOptions options;  // settled, but for `normal`, which may stay automatic until there are points
  Kernel kernel;
  Index3 grid;
  KernelPolynomial polynomial;
  std::shared_ptr<const KernelSource<Real>> source;  // of values that the loops do not evaluate; else null
  GridLayout layout;

  // Throws Error: options out of range, accuracy out of reach, a method of the GPU, a grid too large.
  CpuPlanDesign(const NufftProblem& problem, const NufftOptions& asked);

  // Of the entries of sparse matrices: `source`, or the polynomials.
  std::shared_ptr<const KernelSource<Real>> matrixSource() const;
  bool sparse() const { return options.spread == Method::sparse || options.interpolate == Method::sparse; }
  double deviation() const { return source ? source->deviation() : polynomial.deviation; }
  // The memory limit; without one a quarter of the machine's memory, half of it where sparse matrices are made.
  std::int64_t room() const;
  // Images of a batch that are transformed together: 1 or imagesSideBySide (spread_together.h). One where that is asked
  // for, a batch is small, or there is no room for so large a grid and the points.
  int together(const NufftProblem& problem, std::int64_t points) const;
  // Bytes of a grid for `images` images and the points, of stored kernel values, and of sparse matrices.
  std::int64_t gridMemory(std::int64_t points, int images = 1) const;
  // The same with a Toeplitz normal operator, where one is asked for, and what making it needs for a moment.
  std::int64_t memory(const NufftProblem& problem, std::int64_t points, int images) const;
  std::int64_t memory(const NufftProblem& problem, std::int64_t points) const {
    return memory(problem, points, together(problem, points));
  }
};

// "cpu blocked, 2 threads, AVX-512, tiles 32x16x16"; layout: of the points, once there are some.
template <class Real>
std::string describeDesign(const CpuPlanDesign<Real>& design, const GridLayout& layout);

extern template struct CpuPlanDesign<float>;
extern template struct CpuPlanDesign<double>;

}  // namespace spokelab
