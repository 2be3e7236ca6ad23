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

// Facts beside the NUFFT's problem that a choice depends on: request, radians of the phase.
std::string pathClass(const SenseProblem& problem, const GdftProblem& exact);

// A remembered path that can run here; one from an exhaustive search serves lower efforts, too. Its
// numbers of segments are the requested ones (automatic ones are found anew for each field). keyed:
// the request, with pathClass.
std::optional<Candidate> recalledPath(std::span<NufftBackend* const> backends, const SenseProblem& problem,
                                      const TuneRequest& keyed, const Wisdom& wisdom);

// Keeps the winner under the request's effort. The winner of a search that was cut short is kept as
// one of effort `measure`, and only if it is faster than the one that is known.
void rememberPath(std::span<NufftBackend* const> backends, const SenseProblem& problem,
                  const TuneRequest& keyed, const TuneResult& result, Wisdom& wisdom);

}  // namespace spokelab
