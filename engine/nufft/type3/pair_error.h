// Predicts the error of a type 3 transform between its actual points. The error models
// (kernel/error_model.h) hold for random images, with points at random places between grid cells or
// all at the worst place. But one source is not a random image: it spreads the outer kernel's
// values in phase. For known places the sum is short:
//   K(x, s) = prod_d sum_m phi(m - u_d) e^{-2 pi i (m - u_d) t_d} (1 + a(m, t_d)) / h(t_d),
//   a(m, t) = sum_l phi'(l - G' t) e^{-2 pi i (l - G' t) m / G'} / h'(m / G') - 1,
// with u the source in cells of the outer grid, t the target in cycles per cell, phi and h the
// outer kernel and its transform, and primes for the inner transform. K = 1 is exact.
#pragma once

#include <span>

#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/type3/type3_grids.h"

namespace spokelab {

struct InnerGrid {
  Kernel kernel;
  Index3 grid{1, 1, 1};
};

// Root mean square of |K - 1| over all pairs, or over some sources with some targets if there are
// many. Counts aliasing only, without rounding and polynomials. 0 without pairs.
double pairError(const Outer& outer, const Kernel& kernel, const InnerGrid& inner, const Extent& sourceBox,
                 std::span<const double> sources, const Extent& targetBox, std::span<const double> targets,
                 int dims);

}  // namespace spokelab
