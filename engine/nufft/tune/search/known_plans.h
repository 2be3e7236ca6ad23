// Plans that a search recalls from wisdom, and the plan that it remembers there.
#pragma once

#include "engine/nufft/tune/tune.h"
#include "engine/nufft/tune/wisdom.h"

namespace spokelab {

// A remembered plan that can still run here. Lower efforts also take an exhaustive search's result.
std::optional<Candidate> recalledPlan(std::span<NufftBackend* const> backends, const TuneRequest& request,
                                      const Wisdom& wisdom);

// Remembers the winner. An exhaustive search that was cut short counts as a shorter search, and
// only where that found nothing faster. A longer search replaces a plan of a shorter one that it
// beats.
void rememberPlan(std::span<NufftBackend* const> backends, const TuneRequest& request,
                  const TuneResult& result, Wisdom& wisdom);

}  // namespace spokelab
