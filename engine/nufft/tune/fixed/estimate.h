// Choices that nothing is timed for: the cost model alone decides.
#pragma once

#include <span>
#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// Whether a plan of so many bytes may be made: the limit asked for allows it, and on the CPU the
// machine has them left; for a reproducible request, has them at all.
bool allows(const TuneRequest& request, const std::string& backend, std::int64_t bytes);

// Whether the candidate's threads spread tiles whose size is open, and the size that gives all of them work;
// zeros: the usual one.
bool mayShareTiles(const TuneRequest& request, const Candidate& candidate);
Index3 sharedTileOf(const TuneRequest& request, const Candidate& candidate);

// Orders the candidates by their predicted cost and takes the first one that memory allows;
// TuneResult::best stays -1 where there is none.
void chooseByModel(std::span<NufftBackend* const> backends, const TuneRequest& request, TuneResult& result);

}  // namespace spokelab
