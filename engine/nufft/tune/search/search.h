// Times candidates in the order of predicted cost, within the time of the request's effort; then
// variants of the best (refinements.h), plug-ins, and the best ones again in turns.
#pragma once

#include "engine/nufft/tune/tune.h"

namespace spokelab {

class SearchRecord;

// Upper bound of a search's seconds; infinite for an exhaustive search without a limit.
double longestSearchSeconds(const TuneRequest& request);

// result: the candidates, filled with times. preparedSeconds: time already spent on making them.
// record: null, or candidates that an earlier search has timed; they are not timed again, and new
// times are added. Throws Cancelled; `result` then holds the times so far.
void searchPlans(std::span<NufftBackend* const> backends, const TuneRequest& request, TuneResult& result,
                 double preparedSeconds, SearchRecord* record, const Progress& progress,
                 const std::function<void(const Candidate&)>& seen);

}  // namespace spokelab
