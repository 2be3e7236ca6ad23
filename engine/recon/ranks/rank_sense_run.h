// SENSE whose coils are divided over ranks: one sum over ranks for the right side, and one an
// iteration.
#pragma once

#include <memory>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/recon/sense/solve_sense.h"

namespace spokelab {

// problem: of all coils, the same on each rank; share: the numbers of this rank's, which follow each other. As senseRunOnHost, and
// every rank has the whole image. All ranks run it at the same time.
std::unique_ptr<SenseRun> senseRunOnRanks(Ranks& ranks, TransformBackend& backend,
                                          const SenseProblem& problem, const std::vector<int>& share);

}  // namespace spokelab
