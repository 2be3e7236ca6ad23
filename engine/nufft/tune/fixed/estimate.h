// Choices without timing: the cost model alone decides.
#pragma once

#include <span>
#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// True if the request's limit allows a plan of this size and the CPU's free memory holds it. A
// reproducible request compares with all of the memory, since free memory changes.
bool allows(const TuneRequest& request, const std::string& backend, std::int64_t bytes);

// mayShareTiles: the plan spreads by tiles of open size with several threads. sharedTileOf: the
// tile that gives all threads work; zeros for the usual tile.
bool mayShareTiles(const TuneRequest& request, const Candidate& candidate);
Index3 sharedTileOf(const TuneRequest& request, const Candidate& candidate);

// Takes the cheapest predicted candidate that memory allows; TuneResult::best is -1 without one.
void chooseByModel(std::span<NufftBackend* const> backends, const TuneRequest& request, TuneResult& result);

}  // namespace spokelab
