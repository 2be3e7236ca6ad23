// Plans that a search recalls from wisdom, and the plan that it remembers there.
#pragma once

#include "engine/nufft/tune/tune.h"
#include "engine/nufft/tune/wisdom.h"

namespace spokelab {

// A remembered plan that can still run here. Lower efforts also take an exhaustive search's result.
// A plan of effort measure is not taken where the request allows more than twice its search's time.
std::optional<Candidate> recalledPlan(std::span<NufftBackend* const> backends, const TuneRequest& request,
                                      const Wisdom& wisdom);

// Remembers the winner. An exhaustive search that was cut short counts as one of effort measure. A
// winner of effort measure does not replace a remembered plan of this effort that still runs here
// and is not slower.
void rememberPlan(std::span<NufftBackend* const> backends, const TuneRequest& request,
                  const TuneResult& result, Wisdom& wisdom);

}  // namespace spokelab
