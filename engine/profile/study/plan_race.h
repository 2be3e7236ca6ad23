// Times plans of one problem in turns on random data, so that other load of the machine slows all
// plans alike. Studies and benches of threads, schedulers and precomputations use it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"

namespace spokelab {

struct RaceRun {
  PlanInfo info;
  double setPointsSeconds = 0;
  std::vector<StageTimings> adjoint, forward;  // one a round
};

struct RaceEntry {
  NufftOptions options;
  NufftBackend* backend = nullptr;  // null: the CPU
};

// Every plan executes adjoint and forward once a round; one round before them warms up. Throws
// Error where a plan cannot be made, Cancelled.
std::vector<RaceRun> racePlans(const NufftProblem& problem, std::span<const double> points,
                               std::span<const NufftOptions> plans, int rounds, const Progress& progress);

std::vector<RaceRun> racePlans(const NufftProblem& problem, std::span<const double> points,
                               std::span<const RaceEntry> entries, int rounds, const Progress& progress);

// The median of a value over rounds.
double medianOf(const std::vector<StageTimings>& rounds,
                const std::function<double(const StageTimings&)>& value);
StageTimings medianTimings(const std::vector<StageTimings>& rounds);  // of each stage and of the total

// Options of a plan with exactly this alpha and width. Their accuracy is a little above the plan's
// predicted bound, so that it is accepted. Their normal method is `later`: nothing is planned for a
// normal operator.
NufftOptions optionsWith(const NufftProblem& problem, double alpha, double width,
                         KernelType kernel = KernelType::kaiserBessel);

// Largest error over the largest value (nfft-jl's measure) of one direction of a plan with these
// options, at a number of random outputs, against exact sums.
double largestRelativeError(const NufftProblem& problem, const NufftOptions& options,
                            std::span<const double> points, bool adjoint, int outputs,
                            const Progress& progress);

// The same of any transform in double precision.
using DoubleTransform = std::function<void(const cdouble* in, cdouble* out)>;
double largestRelativeError(const NufftProblem& problem, const DoubleTransform& transform,
                            std::span<const double> points, bool adjoint, int outputs,
                            const Progress& progress);

}  // namespace spokelab
