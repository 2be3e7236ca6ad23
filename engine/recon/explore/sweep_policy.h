// One policy for the window and the command line: the plans that a sweep times where a person
// leaves it open.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/nufft/tune/sweep/sweep.h"
#include "engine/recon/explore/sweep_layers.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

struct SweepPolicy {
  std::vector<double> alphas;  // empty: sweepAlphas()
  std::vector<double> widths;  // empty: for each alpha the smallest that meets the accuracy
  bool wholeWidths = false;    // after those, sweepWidths() at every alpha
  SweepBreadth breadth;
  // Removes the entries that are not to be timed from all entries, which are in the order of
  // timing. Empty: all are timed.
  std::function<void(std::vector<RoundEntry>&)> select;
};

inline constexpr std::size_t defaultSweepAlphas = 8;

// At most `count`, evenly picked from the fast ratios at which some width meets the accuracy, both
// ends included. Throws Error where no width does.
std::vector<double> sweepAlphas(const NufftProblem& problem, const NufftOptions& options,
                                std::size_t count = defaultSweepAlphas);

// Whole widths from below the narrowest to the widest that `alphas` need for the accuracy; empty
// where none meets it.
std::vector<double> sweepWidths(const NufftProblem& problem, const NufftOptions& options,
                                const std::vector<double>& alphas);

// All candidates, first the ones of the options themselves; best: the fastest that meets the
// accuracy. `base` gives all but alpha and width; of a normal operator, the Toeplitz forms are
// among them where the policy's breadth has paths. Throws Error; Cancelled.
TuneResult sweepByPolicy(const std::vector<Backend*>& backends, const TuneRequest& base,
                         const SweepPolicy& policy, const Progress& progress,
                         const std::function<void(const Candidate&)>& seen = {});

// The number of plans that sweepByPolicy() would time, and its duration by the cost model; nothing
// is timed. Throws as sweepByPolicy().
struct SweepEstimate {
  int plans = 0;
  double seconds = 0;
};
SweepEstimate estimateSweep(const std::vector<Backend*>& backends, const TuneRequest& base,
                            const SweepPolicy& policy, const Progress& progress);
// "24 plans, about 40 s"
std::string estimateText(const SweepEstimate& estimate);

// The arguments of the command `sweep` that repeat it: "--whole-widths", "--over", "kernels,paths".
std::vector<std::string> sweepArguments(const SweepPolicy& policy);

}  // namespace spokelab
