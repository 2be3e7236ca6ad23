// Chooses the two grids of a type 3 transform (type3.h) and their kernels.
#pragma once

#include <span>
#include <vector>

#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/type3/type3_transform.h"

namespace spokelab {

// The range of points along each axis, in their unit: middle - half ... middle + half.
struct Extent {
  Vec3 middle{0, 0, 0}, half{0, 0, 0};
};

// Throws Error if a coordinate is not finite; `what` names the points.
Extent extentOf(std::span<const double> points, int dims, const char* what);

// The grid that sources are spread on, for one oversampling ratio.
struct Outer {
  // The problem whose kernel and grid step 1 takes; its image is the band that holds the targets.
  NufftProblem problem;
  NufftOptions options;
  Index3 grid{1, 1, 1};
  Vec3 spacing{1, 1, 1};  // in the sources' unit
  // The accuracy that both kernels share: the requested one, or a finer one if the points need it
  // (pair_error.h).
  double accuracy = 0;
  double error = 0;  // predicted between the points if they are few, else 0
};

// The type 2 problem of step 2, whose image is the outer grid.
NufftProblem innerProblem(const Type3Problem& problem, const Index3& grid);

// Throws Error for a problem or options that are wrong for any points.
void checkOptions(const Type3Problem& problem, const NufftOptions& options);

// Outer grids of the ratios that reach the accuracy, in order of predicted work on the backend. A
// grid that would miss it between the actual points is made finer. Throws Error if no ratio reaches
// it.
std::vector<Outer> outerChoices(const Type3Problem& problem, const NufftOptions& options,
                                const std::string& backend, const Extent& sourceExtent,
                                std::span<const double> sources, const Extent& targetExtent,
                                std::span<const double> targets);

// 1 / transform of the outer kernel at a target.
double inverseAt(const Kernel& kernel, const Outer& outer, const Extent& targets, const double* target,
                 int dims);

// Factor by which the division by the outer kernel's transform increases the inner transform's
// error: the root of the mean square of the inverse, times the root mean square of the transform
// itself.
double amplification(const Kernel& kernel, int dims, double meanInverseSquare);

// The options that the inner transform is given: its own ratio where the problem says so.
NufftOptions optionsForInner(const Type3Problem& problem, NufftOptions options);

// The inner transform's cheapest options at its share of the accuracy. If none reaches it, the
// options are left as they were, and planning gives the reason.
NufftOptions innerOptions(const NufftProblem& inner, const Outer& outer, NufftOptions options,
                          const std::string& backend, double amplified, std::int64_t targets);

// Predicted relative l2 error: the larger of the worst target's and the actual points'. worstOuter:
// the outer kernel's at the worst target. amplified: amplification() of innerError.
double predictType3Error(const Outer& outer, double worstOuter, double amplified, double innerError);

}  // namespace spokelab
