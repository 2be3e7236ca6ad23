// Chooses a plan that repeats: the same plan in every run, with any number of threads, under any
// load. The cost model's guesses decide, for a fixed number of threads. Measurements do not count,
// neither this process's nor wisdom's.
#pragma once

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// As tune(), for a reproducible request. Where the request must time (mustTime), the cost of the
// switch is measured from the chosen plan and the fastest plan without it. Wisdom keeps both times
// and serves requests that time nothing.
TuneResult tuneReproducibly(std::span<NufftBackend* const> backends, const TuneRequest& request,
                            Wisdom* wisdom, const Progress& progress,
                            const std::function<void(const Candidate&)>& seen);

}  // namespace spokelab
