// The words for candidates of path_search.h that were not timed, or refused.
#pragma once

#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab {

// The cheapest candidate that was neither timed nor refused; -1: none.
int cheapestOf(const TuneResult& result);
// ". By the cost model exact sums, cpu: 0.3 s" and so on, of those that were not timed.
std::string untimedText(const TuneResult& result);
// "segmented: its error is 2e-3, more than 1e-3; ..."
std::string refusals(const TuneResult& result);

}  // namespace spokelab
