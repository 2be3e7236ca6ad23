// The search that times candidates: in the order of their predicted cost, within the time of the request's effort; then
// variants of the best (refinements.h), plug-ins, and the best ones again in turns.
#pragma once

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// result: holds the candidates, and gets what was timed. preparedSeconds: spent before, to make them. Throws Cancelled;
// the result then holds what was timed so far.
void searchPlans(std::span<NufftBackend* const> backends, const TuneRequest& request, TuneResult& result,
                 double preparedSeconds, const Progress& progress,
                 const std::function<void(const Candidate&)>& seen);

}  // namespace spokelab
