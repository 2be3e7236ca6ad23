// The exact field-corrected sum in double precision: the oracle of the tests.
#pragma once

#include <span>
#include <vector>

#include "engine/recon/field/gdft/gdft_problem.h"

namespace spokelab {

// Sums at the chosen samples (empty: all), one term after the other.
std::vector<cdouble> gdftDirect(const GdftProblem& problem, std::span<const cdouble> image,
                                std::span<const std::int64_t> selection = {});

}  // namespace spokelab
