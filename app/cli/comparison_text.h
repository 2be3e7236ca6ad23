// A comparison of timings in words, a row a plan.
#pragma once

#include "app/cli/command.h"
#include "engine/profile/baseline/baseline_compare.h"

namespace spokelab::cli {

// Says titles, rows and differences. The caller says the last line, summary().
void sayComparison(CommandContext& context, const BaselineComparison& comparison);

}  // namespace spokelab::cli
