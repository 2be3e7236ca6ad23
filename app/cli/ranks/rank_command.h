// One command as one of several ranks: rank 0 writes and prints; a failure of any ends all.
#pragma once

#include <string>

#include "app/cli/command.h"
#include "app/cli/progress_bar.h"
#include "app/cli/ranks/joined_ranks.h"

namespace spokelab::cli {

// -> the exit code of this rank.
int runOnRanks(Command& command, const LaunchedRanks& launched, const CommandLineHooks& hooks,
               const std::string& commandLine, Talk talk);

}  // namespace spokelab::cli
