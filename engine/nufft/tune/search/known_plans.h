// What a search takes from wisdom, and what it leaves there.
#pragma once

#include "engine/nufft/tune/wisdom.h"

namespace spokelab {

// A remembered result that can run here as it did; that of an exhaustive search serves lower
// efforts, too.
std::optional<Candidate> recalledPlan(std::span<NufftBackend* const> backends, const TuneRequest& request,
                                      const Wisdom& wisdom);

// Keeps the winner. That of an exhaustive search which was cut short must not pass for an
// exhaustive one's: it serves as a shorter search's, where that found nothing faster. A longer
// search's winner replaces a shorter one's that it beats.
void rememberPlan(std::span<NufftBackend* const> backends, const TuneRequest& request,
                  const TuneResult& result, Wisdom& wisdom);

}  // namespace spokelab
