// Parts that gnufftw's studies of tuned plans share: lists of implementations (method of a
// backend), one tune() call for each, and the loop over cases. Internal to the studies.
//
// The paper's levels of precomputation are these methods: none: `blocked` on a CPU (sorted points,
// kernel values computed), `gm` on a GPU. Partial: `sector`. Full: `sparse`. Others are not there.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/nufft/tune/tune.h"
#include "engine/profile/study/study_run.h"

namespace spokelab {

inline constexpr double millisecond = 1e-3;  // s: the unit of the charts

struct ListedMethod {
  const char* backend;
  Method method;
};

// One implementation of one operation; the tuner chooses what the options leave open.
struct TunedVariant {
  std::string name, operation;
  NufftBackend* backend = nullptr;
  NufftOptions options;
  Direction direction = Direction::both;
};

// Names that the variants of a list begin with.
std::vector<std::string> namesOf(std::span<const ListedMethod> list);
// A refused row for each method whose backend takes no part.
void addMissing(StudyRun& run, std::span<const ListedMethod> list);

// A variant for each listed method that its backend has for the problem. If a method only spreads,
// `both` takes the backend's first interpolation method, and `forward` has no variant of it.
std::vector<TunedVariant> listedVariants(const StudyRun& run, const NufftProblem& problem,
                                         const NufftOptions& options, Direction direction,
                                         std::span<const ListedMethod> list);
// The plug-ins that take part, beside the paper's methods, by their own names.
std::vector<TunedVariant> pluginVariants(const StudyRun& run, const NufftOptions& options,
                                         Direction direction);

struct TunedCase {
  StudyCase c;
  TuneRequest base;  // a variant replaces options and direction
};
// The case with the request's first alpha; without one alpha is left to the tuner.
TunedCase atRatio(TunedCase c, const StudyRequest& request);
StudyRow rowOf(const StudyCase& c, const TunedVariant& variant, const Candidate& candidate);
// The fastest plan of a variant, or the reason for its absence. Throws Cancelled.
StudyRow tuneVariant(const TunedCase& c, const TunedVariant& variant, const Progress& progress);

// Calls `each` for all patterns, accelerations, sizes and accuracies, in this order of nesting, and
// sizesDone after the last size of each (pattern, acceleration). Undivided: what a shard keeps
// together: all sizes of a (pattern, acceleration), or all cases of a pattern.
enum class Undivided { sizes, patterns };
void forTunedCases(StudyRun& run, const std::function<void(const TunedCase&, const Progress&)>& each,
                   const std::function<void(const std::string& pattern, double acceleration)>& sizesDone,
                   Undivided undivided = Undivided::sizes);

}  // namespace spokelab
