// Spreading kernels, their transforms, and the piecewise polynomial that the loops evaluate.
// phi(u), u in grid cells, even, phi(0) = 1, exactly zero for |u| > W/2; W is the full width, any
// real number. transform(xi) = int phi(u) e^{-2 pi i xi u} du, xi in cycles per grid cell (= x / G
// for pixel x). The Gaussian exp(-beta (2 u / W)^2) is cut off at W/2. Its
// beta = (pi W / 2) (1 - 1/(2 alpha)) makes the part left out as large as the part of its transform
// beyond the nearest alias. It is there for reference: it takes nearly twice the width of the
// others.
// Sources: [gnufftw] III.B with Beatty's beta as in [formulas], [cufinufft] eq. 5.
#pragma once

#include <memory>
#include <vector>

#include "engine/nufft/problem/options.h"

namespace spokelab {

struct KernelTable;

// Grid cells; the loops are instantiated up to it.
inline constexpr double maxKernelWidth = 16;

// Resolves `automatic` without a tuner: Kaiser-Bessel.
KernelType resolvedKernel(KernelType type);

class Kernel {
 public:
  // Throws Error where (alpha, width) does not define a kernel: Kaiser-Bessel needs W > 0.894 alpha
  // / (alpha - 1/2).
  Kernel(KernelType type, double width, double alpha);

  KernelType type() const { return type_; }
  double width() const { return width_; }
  double alpha() const { return alpha_; }
  double beta() const { return beta_; }
  int cells() const { return cells_; }  // ceil(W): grid cells a point can touch in one dimension

  double operator()(double u) const;  // exact, for tests and tables
  // Closed form, else quadrature to 1e-15 of transform(0), |xi| <= 6.5.
  double transform(double xi) const;

  static bool defined(KernelType type, double width, double alpha);

 private:
  KernelType type_;
  double width_, alpha_, beta_ = 0;
  int cells_ = 0;
  double centre_ = 1;  // Kaiser-Bessel: I_0(beta)
  // Quadrature of the transform, where it has no closed form.
  std::shared_ptr<const KernelTable> table_;
};

// Horner coefficients of the kernel at the cells that one point touches. With x the point's
// coordinate in cells, the first cell is i0 = ceil(x - W/2) and f = i0 - (x - W/2) in [0, 1); cell
// i0 + j has u = f + j - W/2. For piece j = 0 ... ceil(W)-1, with t = 2 f - 1 in [-1, 1):
//   phi = sum_p coefficient[p][j] t^p.
// The last piece ends inside the cell when W is not whole: it is fitted only on [0, edge) and is
// zero for f >= edge (edge = W - ceil(W) + 1; 1 for whole W). No piece spans the kernel's edge.
// Fitted in double (Chebyshev nodes) until the deviation is below `tolerance` (relative to phi(0)),
// with no coefficient so large that single precision would lose it.
struct KernelPolynomial {
  int cells = 0;   // ceil(W)
  int degree = 0;  // terms - 1
  double width = 0;
  double edge = 1;
  // [degree + 1][cells], highest power first: row 0 multiplies t^degree.
  std::vector<double> coefficient;
  double deviation = 0;  // sqrt(2) rms on a dense check grid, of the worst piece

  double value(int piece, double f) const;
};

KernelPolynomial fitKernel(const Kernel& kernel, double tolerance);

}  // namespace spokelab
