// The path of an untuned problem: reconstruct.h tunes before, a caller of solveSense may not.
#pragma once

#include <string>
#include <vector>

#include "engine/recon/sense/paths/path_search.h"
#include "engine/recon/sense/sense_groups.h"

namespace spokelab {

// The problem without coils, with the path found. notes: gets a reason. Throws Error, Cancelled.
SenseProblem withPath(TransformBackend& backend, const SenseProblem& problem, const ShotGroup& group,
                      std::vector<std::string>& notes, const Progress& progress);

}  // namespace spokelab
