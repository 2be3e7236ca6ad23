// The search that times candidates: in the order of their predicted cost, within the time of the request's effort; then
// variants of the best (refinements.h), plug-ins, and the best ones again in turns.
#pragma once

#include "engine/nufft/tune/tune.h"

namespace spokelab {

class SearchRecord;

// Seconds that a search takes at most; infinite where all is timed and nobody set a limit.
double longestSearchSeconds(const TuneRequest& request);

// result: holds the candidates, and gets what was timed. preparedSeconds: spent before, to make them. record: null, or
// what an earlier search has timed, which is not timed again, and gets what this one does. Throws Cancelled; the result
// then holds what was timed so far.
void searchPlans(std::span<NufftBackend* const> backends, const TuneRequest& request, TuneResult& result,
                 double preparedSeconds, SearchRecord* record, const Progress& progress,
                 const std::function<void(const Candidate&)>& seen);

}  // namespace spokelab
