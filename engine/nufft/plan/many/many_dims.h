// Transforms of more than three dimensions on the CPU ([nfft-jl] 3.4), made of those that exist: a
// volume at several times, echoes or frequencies. The last dimension is taken off, N long, and what
// is left is a transform of one dimension less.
//
//   Separable points, all pairs of a list a and a list b:
//     forward: the transform at a of all N images, then f_l = sum_n f_n e^{sign 2 pi i n b_l} at
//     each of a, by a matrix where that is small, else by a 1-D transform.
//   Other points: the last dimension is gridded alone. A grid of G > N cells along it holds an
//   image each; a point touches W of them.
//     adjoint: image g = adjoint of phi(g - b_j G) y_j at the points that touch g; then an FFT
//     along g, and division by the kernel's transform. forward: its conjugate transpose.
//
// The accuracy means the same as in the contract ([formulas]): both steps share it, and the gridded
// step's amplification is taken off the inner transform's share. normal() is gridded; the
// transforms are made at half of the accuracy asked, as their errors may add in phase.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/nufft/nufft.h"

namespace spokelab {

struct ManyDimsProblem {
  std::vector<std::int64_t> size;  // x, y, z, ...: x fastest in memory
  Precision precision = Precision::single;
  int sign = -1;
  std::int64_t batch = 1;
  ErrorMeasure measure = ErrorMeasure::relativeL2;

  int dims() const { return int(size.size()); }
};

inline constexpr int maxDims = 8;  // beyond it a kernel touches millions of cells

// The problem as the plan's problem() returns it: with more than three dimensions, size[2] is the
// product of all sizes from the third on. Throws Error for a size or number of dimensions that no
// plan takes.
NufftProblem foldedProblem(const ManyDimsProblem& problem);

// A plan of any number of dimensions; up to three the CPU's own. Throws Error (accuracy).
template <class Real>
std::unique_ptr<Nufft<Real>> makeManyDims(const ManyDimsProblem& problem, const NufftOptions& options);

extern template std::unique_ptr<Nufft<float>> makeManyDims(const ManyDimsProblem&, const NufftOptions&);
extern template std::unique_ptr<Nufft<double>> makeManyDims(const ManyDimsProblem&, const NufftOptions&);

}  // namespace spokelab
