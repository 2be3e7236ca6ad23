// Shared by gnufftw's studies of tuned plans: the implementations that they list, one call of
// tune() for each, and the cases one by one. Internal to the studies.
//
// The paper's levels of precomputation: none is `blocked` on a CPU (sorted points, kernel values
// computed) and `gm` on a GPU, partial `sector`, full `sparse`; the others are ours.
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

// The listed methods that the backends have for a problem and a direction. Of a method that spreads
// only, `both` interpolates with the backend's first, and `forward` has none.
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
// The case at the ratio of the request; none: tuned.
TunedCase atRatio(TunedCase c, const StudyRequest& request);
StudyRow rowOf(const StudyCase& c, const TunedVariant& variant, const Candidate& candidate);
// The fastest plan of a variant, or the reason for its absence. Throws Cancelled.
StudyRow tuneVariant(const TunedCase& c, const TunedVariant& variant, const Progress& progress);

// Patterns, accelerations, sizes, accuracies; sizesDone follows the last size of a pattern and an
// acceleration. A shard gets whole patterns, or the sizes of a pattern and an acceleration.
enum class Undivided { sizes, patterns };
void forTunedCases(StudyRun& run, const std::function<void(const TunedCase&, const Progress&)>& each,
                   const std::function<void(const std::string& pattern, double acceleration)>& sizesDone,
                   Undivided undivided = Undivided::sizes);

}  // namespace spokelab
