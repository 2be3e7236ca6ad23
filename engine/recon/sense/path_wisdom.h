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

// A remembered path that can run here; that of an exhaustive search serves lower efforts, too. Its numbers of segments
// are those asked for: they are found anew for each field. keyed: the request, with pathClass.
std::optional<Candidate> recalledPath(std::span<NufftBackend* const> backends, const SenseProblem& problem,
                                      const TuneRequest& keyed, const Wisdom& wisdom);

// Keeps the winner. That of an exhaustive search which was cut short serves as a shorter search's, where that found
// nothing faster.
void rememberPath(std::span<NufftBackend* const> backends, const SenseProblem& problem,
                  const TuneRequest& keyed, const TuneResult& result, Wisdom& wisdom);

}  // namespace spokelab
