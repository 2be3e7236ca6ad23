// Completion of commands, options and their choices in a shell; file names elsewhere.
#pragma once

#include <string>

#include "app/cli/usage/usage_tree.h"

namespace spokelab::cli {

enum class Shell { bash, zsh, fish };

std::string completionScript(Shell shell, const std::string& program, const UsageCommand& root);

}  // namespace spokelab::cli
