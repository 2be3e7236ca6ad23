// A kernel's polynomial in the form that spreading and interpolation load: rows of coefficients, highest power
// first, each padded with zeros to the widest kernel, in the precision of the transform.
#pragma once

#include <cmath>
#include <limits>

#include "engine/core/array.h"
#include "engine/nufft/kernel.h"

namespace spokelab {

inline constexpr int largestKernelCells = 16;

template <class Real>
struct LoopKernel {
  int cells = 0;   // ceil(W)
  int degree = 0;  // terms - 1
  // The last piece is zero for f >= edge[cells - 1]; the others hold for every f.
  alignas(64) Real edge[largestKernelCells];
  Buffer<Real> coefficient;  // [degree + 1][largestKernelCells]

  LoopKernel() = default;
  explicit LoopKernel(const KernelPolynomial& polynomial)
      : cells(polynomial.cells),
        degree(polynomial.degree),
        coefficient(static_cast<std::size_t>((polynomial.degree + 1) * largestKernelCells), Real(0)) {
    for (Real& e : edge) e = 2;  // beyond every fraction
    const Real last = static_cast<Real>(polynomial.edge);
    edge[cells - 1] = polynomial.edge < 1 ? last : Real(2);
    for (int p = 0; p <= degree; ++p) {
      for (int j = 0; j < cells; ++j) {
        coefficient[static_cast<std::size_t>(p * largestKernelCells + j)] =
            static_cast<Real>(polynomial.coefficient[static_cast<std::size_t>(p * cells + j)]);
      }
    }
  }
};

}  // namespace spokelab
