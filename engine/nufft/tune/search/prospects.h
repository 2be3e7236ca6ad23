// Predicts the cost of candidates that a search has not timed yet from those that it has. Copies
// between host and GPU are the same for all plans of a backend and may dominate, so plans of one
// backend are compared without them.
#pragma once

#include <span>
#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Updates predictions after the cost model has learnt; copies take the measured time.
void predictRest(const TuneRequest& request, std::span<const Candidate> timed, std::span<Candidate> rest);

// Index in `rest` of the candidate with the least predicted cost, after three corrections. A plan
// whose FFT a GPU library must plan has to promise more in a search that may not time all, because
// the library may compile for as long as the whole search; a GPU's first candidate avoids it. GPU
// methods without a measured time come first if they promise almost as much. A candidate that is
// expensive to try (a stored matrix) comes after cheap ones that promise as much.
std::size_t mostPromising(const TuneRequest& request, std::span<const Candidate> timed,
                          std::span<const Candidate> rest);

// True if a GPU library must plan an FFT for the candidate that it has not planned in this search.
bool needsLibraryPlan(const TuneRequest& request, std::span<const Candidate> timed,
                      const Candidate& candidate);

// Moves the next candidate to time to the front of `rest`; false if none is left. A search that may
// not time all skips candidates that promise too little, and tries each GPU method once unless it
// is predicted to be several times slower. libraryPlans false: skips candidates that need a library
// plan.
bool bringForward(const TuneRequest& request, std::span<const Candidate> timed, std::span<Candidate> rest,
                  bool libraryPlans = true);

// Moves the most promising safe plan of a kind missing in `timed` to the front: on a GPU one with
// sorted points and one on tensor cores, on a CPU a blocked one. Their times depend little on the
// distribution of points. False if `rest` has none.
bool bringSafeForward(const TuneRequest& request, std::span<const Candidate> timed,
                      std::span<Candidate> rest);

// Cost of an execution, measured or predicted, without copies.
double besideCopies(const TuneRequest& request, const Candidate& candidate);
// The least besideCopies() of a backend's timed candidates; infinite without any.
double bestBesideCopies(const TuneRequest& request, std::span<const Candidate> candidates,
                        const std::string& backend);

}  // namespace spokelab
