// Iterative SENSE and pcSENSE: minimise over the image m
//   sum_g,c |W^{1/2} (A_g C_c e^{i phi_g} m - y_{g,c})|^2 / D + lambda R(m)
//   D = sum_j w_j, over the samples of all groups (once, not for each coil)
//   R = |m|^2 (Tikhonov), sum_d |m(n + e_d) - m(n)|^2 (roughness), 2 S TV(m) (isotropic), or
//   2 S |Psi m|_1 (functional/wavelets.h), 2 S TGV(m) (functional/generalized_variation.h)
// Dividing by D makes the operator the identity for a fully sampled Cartesian scan with maps of
// root sum of squares 1, whatever the matrix, the number of samples and the weights: one lambda
// serves scan after scan.
// S is the largest magnitude of the adjoint image A^H W y / D, so that total variation does not
// depend on the image's units either. With two sets of coil maps (soft SENSE) there are two images:
// R is the sum over both, and the result the root of their sum of squares, with the first one's
// phase. The forward model is y_j = sum_n m_n e^{...}, as gridding assumes, so that images agree
// with gridding's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/recon/options/iteration_watcher.h"
#include "engine/recon/options/solver_options.h"
#include "engine/recon/sense/iteration_parts.h"
#include "engine/recon/sense/sense_problem.h"

namespace spokelab {

class TransformBackend;

struct SenseSolution {
  std::vector<cfloat> image;               // empty: it went where the problem said
  std::vector<cdouble> doubleImage;        // the same in double precision, where it was solved so
  std::vector<double> residuals, seconds;  // one an iteration
  std::vector<double> objectives;          // likewise, of methods that know it; else empty
  std::string transform;                   // in words
  PlanInfo plan;                           // of the transform; grid 1: it has no NUFFT
  std::vector<LambdaChange> lambdaChanges;
  std::vector<std::string> notes;
  bool converged = false, stopped = false, cancelled = false;
  std::string ending;           // why the iterations ended, in words
  double planningSeconds = 0;   // transforms, weights and maps made ready
  double rightSideSeconds = 0;  // samples moved to where the transforms are, and their weighted adjoint
  double iterationSeconds = 0;  // without pauses
  double transformSeconds = 0;  // of these, the transforms'; on a device by its own clock
  double pausedSeconds = 0;
  // Times of the transforms in the iterations; total: the iterations.
  StageTimings timings;
  std::vector<IterationParts> parts;  // of each iteration
  // Arrays copied between host and device, between planning and the last iteration.
  std::int64_t arraysMoved = 0;
};

// SENSE of one set of samples after the other, with the same plans, weights and maps. The problem
// outlives this. Between runs its coils may change, its maps if the next run is told so, and its
// points and weights if takePoints() agrees.
class SenseRun {
 public:
  virtual ~SenseRun() = default;
  // newMaps: the problem's maps are others than in the last run. Throws Error; a cancel inside the
  // iterations is a result with the last image.
  virtual SenseSolution run(const IterationOptions& options, const IterationWatcher& watcher, bool newMaps,
                            const Progress& progress) = 0;
  // The problem has other points and weights than in the last run: the next run sets them in its
  // plan, and keeps grids and tables. False: it cannot, and another SenseRun has to be made.
  virtual bool takePoints() { return false; }
};
// The run with vectors in host memory; the transforms run where the backend has them.
std::unique_ptr<SenseRun> senseRunOnHost(TransformBackend& backend, const SenseProblem& problem);
// The run that solves several frames together (joint_solver.h), one problem each. The problems
// outlive the run; the solution's images follow each other.
std::unique_ptr<SenseRun> jointRunOnHost(TransformBackend& backend, const std::vector<SenseProblem>& frames);
// The run of one problem whose coils are divided over ranks. problem: all coils, the same on each
// rank; share: the numbers of this rank's coils, which follow each other. All ranks run it at the
// same time; the image is rank 0's.
std::unique_ptr<SenseRun> rankSenseRunOnHost(Ranks& ranks, TransformBackend& backend,
                                             const SenseProblem& problem, const std::vector<int>& share);
// The same with the transform's slabs divided: each rank has all coils.
std::unique_ptr<SenseRun> slabSenseRunOnHost(TransformBackend& backend, const SenseProblem& problem,
                                             const SlabShare& share);

}  // namespace spokelab
