// Iterative SENSE and pcSENSE: minimise over the image m
//   sum_g,c |W^{1/2} (A_g C_c e^{i phi_g} m - y_{g,c})|^2 / D + lambda R(m),   D = sum_j w_j (mean over
// groups' samples)
//   R = |m|^2 (Tikhonov), sum_d |m(n + e_d) - m(n)|^2 (roughness), or 2 S TV(m) (total variation, isotropic)
// Dividing by D makes the operator the identity for a fully sampled Cartesian scan with maps of root sum of
// squares 1, whatever the matrix, the number of samples and the weights: one lambda serves scan after scan.
// S is the largest magnitude of the adjoint image A^H W y / D, so that total variation does not depend on
// the image's units either. A is N^d times too large for nothing: y_j = sum_n m_n e^{...}, as gridding
// assumes; images agree with gridding's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/recon/field/gdft/gdft.h"
#include "engine/recon/operators/conjugate_gradient.h"
#include "engine/scan/scan.h"

namespace spokelab {

class Backend;

/// automatic: raced (transform_race.h).
enum class TransformKind { nufft, toeplitz, gdft, gdftR2, segmented, automatic };
enum class Regularization { tikhonov, roughness, totalVariation };
enum class SegmentInterpolator { hanning, minMax, svd };

/// What a slice (2-D) or a volume asks for. Sizes are checked by the solver.
struct SenseProblem {
  int dims = 2;
  Index3 matrix{1, 1, 1};
  std::vector<double> points;                  // [sample, dims] cycles/FOV
  std::vector<double> times;                   // [sample] s from the field map's time origin, or empty
  std::vector<std::int64_t> shotOffsets;       // [shots + 1]
  std::vector<const cfloat*> coils;            // samples of each coil
  std::vector<cfloat> maps;                    // [coil, pixel]
  std::vector<double> weights;                 // [sample], or empty: ones
  std::vector<std::vector<double>> phases;     // pcSENSE: [shot][pixel] rad; empty: SENSE
  std::vector<int> shots;                      // those that take part; empty: all
  std::vector<double> field, decay, gradient;  // as in GdftProblem
  TransformKind transform = TransformKind::nufft;
  SegmentInterpolator interpolator = SegmentInterpolator::svd;
  int segments = 0;  // 0: as many as the accuracy needs
  NufftOptions nufft;
  Precision precision = Precision::single;
  std::int64_t batch = 1;  // coils a call of the NUFFT
};

struct IterationOptions {
  int iterations = 10;
  double lambda = 0;
  double tolerance = 0;
  Regularization regularization = Regularization::tikhonov;
  double leastChange = 0;   // stop where |x_k - x_{k-1}| / |x_k| is below; 0: never
  double secondsLimit = 0;  // stop after; 0: never
};

/// One iteration, told as it ends. image() copies the image of now to the host.
struct IterationState {
  int iteration = 0;
  double residual = 0;  // of the normal equations, relative
  double seconds = 0;   // since the first iteration began
  double lambda = 0;
  int frame = 0, slice = 0;  // of the scan
  Index3 matrix{1, 1, 1};
  std::function<std::vector<cfloat>()> image;
};
/// May block (that pauses), change lambda and go on, go back to an earlier image, or stop. keepBest: the
/// image of the smallest residual so far.
struct IterationCommand {
  IterationAction action = IterationAction::proceed;
  double lambda = -1;  // negative: as it is
  bool keepBest = false;
  std::shared_ptr<const std::vector<cfloat>> image;  // go on from this one (back to an earlier iteration)
};
using IterationWatcher = std::function<IterationCommand(const IterationState&)>;

struct SenseSolution {
  std::vector<cfloat> image;
  std::vector<double> residuals, seconds;  // one an iteration
  std::string transform;                   // in words
  std::vector<std::string> notes;
  bool converged = false, stopped = false, cancelled = false;
  std::string ending;           // why the iterations ended, in words
  double planningSeconds = 0;   // transforms, weights and maps made ready
  double rightSideSeconds = 0;  // samples moved to where the transforms are, and their weighted adjoint
  double iterationSeconds = 0;
  std::int64_t arraysMoved =
      0;  // across the bus to or from a device, between planning and the last iteration
};

/// On the CPU, or on the device of a backend that offers its own. Throws Error; a cancel inside the
/// iterations is a result with the last image.
SenseSolution solveSenseOnHost(Backend& backend, const SenseProblem& problem, const IterationOptions& options,
                               const IterationWatcher& watcher, const Progress& progress);

/// Throws Error where sizes do not fit, a shot has no phase map, or a map is not finite.
void validate(const SenseProblem& problem);

std::string_view transformName(TransformKind);  // "nufft", "toeplitz", "gdft", "gdftr2", "segmented", "auto"
std::string_view regularizationName(Regularization);     // "tikhonov", "roughness", "tv"
std::string_view interpolatorName(SegmentInterpolator);  // "hanning", "min-max", "svd"

}  // namespace spokelab
