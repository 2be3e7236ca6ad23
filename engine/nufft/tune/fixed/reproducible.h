// The choice of a plan that repeats: the same in every run, with any number of threads, on any load.
// The cost model's guesses decide, for a fixed number of threads; nothing that was measured counts,
// neither in this process nor in wisdom.
#pragma once

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// As tune(), for a request whose options are reproducible. What the switch costs is measured where
// the request must time (mustTime): the plan that was chosen, and the fastest one without the switch.
// Wisdom keeps both times; a request that times nothing tells them where they are there.
TuneResult tuneReproducibly(std::span<NufftBackend* const> backends, const TuneRequest& request,
                            Wisdom* wisdom, const Progress& progress,
                            const std::function<void(const Candidate&)>& seen);

}  // namespace spokelab
