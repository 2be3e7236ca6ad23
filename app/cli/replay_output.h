// What a repeated report says: each number then and now.
#pragma once

#include "app/cli/command.h"
#include "engine/profile/results/replay_comparison.h"

namespace spokelab::cli {

// The command fails where a judged number differs.
void sayReplay(CommandContext& context, const ReplayComparison& comparison);

}  // namespace spokelab::cli
