// The error of a transform of type 3 between its own points. The error models (kernel/error_model.h) hold for
// points at random places between grid cells, or all at the worst one, and for random images. One source is an
// image that is not random: the outer kernel's own values, in phase. With the points' places known the sum is short:
//   K(x, s) = prod_d sum_m phi(m - u_d) e^{-2 pi i (m - u_d) t_d} (1 + a(m, t_d)) / h(t_d),
//   a(m, t) = sum_l phi'(l - G' t) e^{-2 pi i (l - G' t) m / G'} / h'(m / G') - 1,
// with u the source in cells of the outer grid, t the target in cycles per cell, phi and h the outer kernel and its
// transform, primes the inner transform's. K = 1 is exact.
#pragma once

#include <span>

#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/type3/type3_grids.h"

namespace spokelab {

// Kernel and grid of the inner transform.
struct InnerGrid {
  Kernel kernel;
  Index3 grid{1, 1, 1};
};

// Root mean square of |K - 1| over pairs: all of them where they are few, else some sources with some targets.
// Aliasing alone: rounding and polynomials are not in it. 0 where there are no pairs.
double pairError(const Outer& outer, const Kernel& kernel, const InnerGrid& inner, const Extent& sourceBox,
                 std::span<const double> sources, const Extent& targetBox, std::span<const double> targets,
                 int dims);

}  // namespace spokelab
