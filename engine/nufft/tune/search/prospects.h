// What the candidates that a search has not timed yet should cost, by those that it has timed.
// Copies between host and GPU are the same for all plans of a backend, and may take longer than all
// else: plans of one backend are compared without.
#pragma once

#include <span>
#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Predicts all anew: the cost model has learnt from the last one. Copies take what they took for
// the plans that were timed.
void predictRest(const TuneRequest& request, std::span<const Candidate> timed, std::span<Candidate> rest);

// The one of `rest`, by its place, that promises most: that of the least predicted cost. A search
// that may not time all takes one whose FFT a GPU's library has to plan only where it promises more
// than that: the library may compile code for its lengths, which takes as long as the whole search.
// The first of a GPU teaches what the kernels take; it has none. Methods of a GPU that this search
// has not timed come first where they promise almost as much: what they take is a guess. One that
// is expensive to try (a stored matrix whose points take long to set) comes after cheap ones that
// promise as much.
std::size_t mostPromising(const TuneRequest& request, std::span<const Candidate> timed,
                          std::span<const Candidate> rest);

// Whether a GPU's library has to plan an FFT for it that this search has not had it plan.
bool needsLibraryPlan(const TuneRequest& request, std::span<const Candidate> timed,
                      const Candidate& candidate);

// Puts the one of `rest` first that is to be timed next. A search that may not time all skips those
// that promise too little, and tries each of a GPU's methods once, but those that are predicted to
// be several times slower; false where nothing is left. libraryPlans false: those that need a
// library's plan are skipped, too.
bool bringForward(const TuneRequest& request, std::span<const Candidate> timed, std::span<Candidate> rest,
                  bool libraryPlans = true);

// Puts the most promising plan of a kind first that is safe to choose, and that none of `timed` is
// of: on a GPU one whose points are sorted and one on tensor cores, on a CPU a blocked one. Their
// times depend little on where points lie. False: `rest` has none of a kind that is missing.
bool bringSafeForward(const TuneRequest& request, std::span<const Candidate> timed,
                      std::span<Candidate> rest);

// The whole cost of an execution, measured or predicted, without copies.
double besideCopies(const TuneRequest& request, const Candidate& candidate);
// The least of those of a backend that were timed; infinite where there are none.
double bestBesideCopies(const TuneRequest& request, std::span<const Candidate> candidates,
                        const std::string& backend);

}  // namespace spokelab
