// One command's page for man(1), in roff.
#pragma once

#include <string>

#include "app/cli/usage/usage_tree.h"

namespace spokelab::cli {

// "spokelab-cli-wisdom-merge"; of the program: its name.
std::string manualName(const std::string& program, const UsageCommand& command);
// The page of `command`. It names the pages of the commands below.
std::string manualPage(const std::string& program, const UsageCommand& command);

}  // namespace spokelab::cli
