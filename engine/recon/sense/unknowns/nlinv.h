// Nonlinear inversion: image and coil maps found together (Uecker et al., "Image reconstruction by
// regularized nonlinear inversion", MRM 60:674, 2008),
//   y_j = A (rho c_j),   c_j = F^{-1} w q_j,   w(k) = (1 + 220 |k / 128|^2)^{-16},
// k in cycles per field of view, so that maps are smooth: q are the unknowns beside rho (the
// paper's weight at a matrix of 128, for any matrix). The iteratively regularised Gauss-Newton
// method solves, in step n,
//   minimise over dx  |W^{1/2} (y - E(x) - DE dx)|^2 / D + a_n |x + dx - x_0|^2,   a_n = 2^{-n},
// by conjugate gradients; x_0: rho = 1, q = 0. A step that fits the samples worse is halved. The
// samples are scaled so that |W^{1/2} y| / D^{1/2} is 100. The image is rho sqrt(sum |c|^2), in the
// samples' units.
// In real time (Uecker et al., NMR Biomed 23:986, 2010) x_0 is a share of the last frame's x, from
// which the iterations start (IterationOptions::framePrior).
// Backend::findMapsRun has the vectors where the transforms are; this run has them in host memory.
#pragma once

#include <memory>
#include <vector>

#include "engine/recon/sense/solve_sense.h"

namespace spokelab {

// The last frame: x = [rho, q of each coil], in samples times `scale`. Empty: none.
struct NlinvFrame {
  std::vector<cdouble> x;
  double scale = 0;
};

// The problem needs no coil maps. IterationOptions::iterations: Newton steps. residuals of the
// solution: |W^{1/2} (y - E(x))| / |W^{1/2} y|; objectives: half its square, of the scaled samples.
// maps: gets c_j over sqrt(sum |c|^2) [coil, pixel]; null: they are not kept. last: of an earlier
// run's last frame, and gets this run's when it ends; null: the first frame is by itself.
std::unique_ptr<SenseRun> nlinvRun(TransformBackend& backend, const SenseProblem& problem,
                                   std::vector<cdouble>* maps = nullptr, NlinvFrame* last = nullptr);

}  // namespace spokelab
