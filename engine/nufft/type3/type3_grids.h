// How fine the two grids of a transform of type 3 are (type3.h), and with which kernels.
#pragma once

#include <span>
#include <vector>

#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/type3/type3_transform.h"

namespace spokelab {

// The box that points lie in.
struct Extent {
  Vec3 middle{0, 0, 0}, half{0, 0, 0};
};

// Throws Error where a coordinate is not finite; `what` names the points.
Extent extentOf(std::span<const double> points, int dims, const char* what);

// The grid that sources are spread on to, for one oversampling ratio.
struct Outer {
  NufftProblem problem;  // its pixels are the targets' band
  NufftOptions options;
  Index3 grid{1, 1, 1};
  Vec3 spacing{1, 1, 1};  // of the grid, in the sources' unit
  // That both kernels share: the one asked for, or a finer one where the points need it (pair_error.h).
  double accuracy = 0;
  double error = 0;  // predicted between the points themselves where they are few; 0: they are many
};

// The inner transform on that grid.
NufftProblem innerProblem(const Type3Problem& problem, const Index3& grid);

// Throws Error for a problem or options that no points could make right.
void checkOptions(const Type3Problem& problem, const NufftOptions& options);

// Outer grids of the ratios that reach the accuracy, the ones that take least work on that backend first.
// A grid and its transform that would miss it between these very points are made finer. Throws Error where
// there is no such grid.
std::vector<Outer> outerChoices(const Type3Problem& problem, const NufftOptions& options,
                                const std::string& backend, const Extent& sourceExtent,
                                std::span<const double> sources, const Extent& targetExtent,
                                std::span<const double> targets);

// 1 / transform of the outer kernel at a target.
double inverseAt(const Kernel& kernel, const Outer& outer, const Extent& targets, const double* target,
                 int dims);

// What the error of the inner transform grows by when its values are divided by the outer kernel's
// transform: the root of the mean of its inverse's square times that of what it was applied to.
double amplification(const Kernel& kernel, int dims, double meanInverseSquare);

// The inner transform's options at the accuracy that the outer grid leaves: with alpha open, those that take
// least work. Where none reaches the accuracy they are as asked, and planning says why.
NufftOptions innerOptions(const NufftProblem& inner, const Outer& outer, NufftOptions options,
                          const std::string& backend, double amplified, std::int64_t targets);

// Predicted relative l2: for the worst target, or between the points themselves, whichever is larger.
double predictType3Error(const Outer& outer, double worstOuter, double amplified, double innerError);

}  // namespace spokelab
