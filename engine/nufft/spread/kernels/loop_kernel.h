// A kernel's polynomial in the form that spreading and interpolation load: rows of coefficients,
// highest power first, in the precision of the transform. Each row has zeros before and behind it,
// so a vector that starts n cells before the kernel holds the kernel's values shifted by n lanes.
#pragma once

#include "engine/core/array.h"
#include "engine/nufft/kernel/kernel.h"

namespace spokelab {

inline constexpr int maxKernelCells = 16;
inline constexpr int zerosBeforeKernel = 16, zerosBehindKernel = 32;
// The distance from row to row, in values.
inline constexpr int kernelPitch = zerosBeforeKernel + maxKernelCells + zerosBehindKernel;

template <class Real>
struct LoopKernel {
  int cells = 0;   // ceil(W)
  int degree = 0;  // terms - 1
  // A piece is zero for f >= its edge: the last one may end inside its cell.
  Buffer<Real> edges;         // [kernelPitch]
  Buffer<Real> insides;       // [kernelPitch]: 1 where the kernel has cells
  Buffer<Real> coefficients;  // [degree + 1][kernelPitch]

  const Real* inside() const { return insides.data() + zerosBeforeKernel; }
  const Real* edge() const { return edges.data() + zerosBeforeKernel; }
  const Real* coefficient() const { return coefficients.data() + zerosBeforeKernel; }

  LoopKernel() = default;
  explicit LoopKernel(const KernelPolynomial& polynomial)
      : cells(polynomial.cells),
        degree(polynomial.degree),
        edges(kernelPitch, Real(2)),  // beyond every fraction
        insides(kernelPitch, Real(0)),
        coefficients(static_cast<std::size_t>((polynomial.degree + 1) * kernelPitch), Real(0)) {
    if (polynomial.edge < 1) {
      edges[static_cast<std::size_t>(zerosBeforeKernel + cells - 1)] = static_cast<Real>(polynomial.edge);
    }
    for (int j = 0; j < cells; ++j) insides[static_cast<std::size_t>(zerosBeforeKernel + j)] = 1;
    for (int p = 0; p <= degree; ++p) {
      for (int j = 0; j < cells; ++j) {
        coefficients[static_cast<std::size_t>(p * kernelPitch + zerosBeforeKernel + j)] =
            static_cast<Real>(polynomial.coefficient[static_cast<std::size_t>(p * cells + j)]);
      }
    }
  }
};

}  // namespace spokelab
