// Choices without timing: the cost model alone decides.
#pragma once

#include <span>
#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// True if the request's limit allows a plan of this size and the CPU's free memory holds it. A
// reproducible request compares with all of the memory, since free memory changes.
bool allows(const TuneRequest& request, const std::string& backend, std::int64_t bytes);

// mayShareTiles: true if the candidate spreads by tiles of the CPU whose size the request leaves
// open. sharedTileOf: the tile that gives all threads work (shared_tile.h); zeros for the usual
// tile.
bool mayShareTiles(const TuneRequest& request, const Candidate& candidate);
Index3 sharedTileOf(const TuneRequest& request, const Candidate& candidate);

// Takes the cheapest predicted candidate that memory allows; TuneResult::best is -1 without one.
void chooseByModel(std::span<NufftBackend* const> backends, const TuneRequest& request, TuneResult& result);

}  // namespace spokelab
