// What wisdom knows of ways through a field.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/field/gdft/gdft_problem.h"
#include "engine/recon/sense/sense_problem.h"

namespace spokelab {

// What a choice depends on beside the NUFFT's problem: what was asked for, and the radians of the field's phase.
std::string pathClass(const SenseProblem& problem, const GdftProblem& exact);

// A remembered path that can run here. Its numbers of segments are those asked for: they are found anew for each field.
// keyed: the request, with pathClass.
std::optional<Candidate> recalledPath(std::span<NufftBackend* const> backends, const SenseProblem& problem,
                                      const TuneRequest& keyed, const Wisdom& wisdom);

}  // namespace spokelab
