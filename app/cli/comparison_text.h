// A comparison of timings in words, a row a plan.
#pragma once

#include "app/cli/command.h"
#include "engine/profile/baseline/baseline_compare.h"

namespace spokelab::cli {

// Titles, rows and what differs; the last line, summary(), is the caller's to say.
void sayComparison(CommandContext& context, const BaselineComparison& comparison);

}  // namespace spokelab::cli
