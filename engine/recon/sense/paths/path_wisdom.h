// The entries of wisdom about ways through a field.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/nufft/tune/tune.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/field/gdft/gdft_problem.h"
#include "engine/recon/sense/sense_problem.h"

namespace spokelab {

// The facts beside the NUFFT's problem that a choice depends on: the request, and the radians of
// the field's phase.
std::string pathClass(const SenseProblem& problem, const GdftProblem& exact);

// A remembered path that can run here; one from an exhaustive search serves lower efforts, too. Its
// numbers of segments are the requested ones (automatic ones are found anew for each field). keyed:
// the request, with pathClass.
std::optional<Candidate> recalledPath(std::span<NufftBackend* const> backends, const SenseProblem& problem,
                                      const TuneRequest& keyed, const Wisdom& wisdom);

// Keeps the winner. A winner of an exhaustive search that was cut short is kept as a shorter
// search's winner, if that found nothing faster.
void rememberPath(std::span<NufftBackend* const> backends, const SenseProblem& problem,
                  const TuneRequest& keyed, const TuneResult& result, Wisdom& wisdom);

}  // namespace spokelab
