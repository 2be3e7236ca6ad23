// One command of the program; its file in commands/ has the name of the command.
#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "app/cli/context.h"

namespace spokelab::cli {

class Command {
 public:
  virtual ~Command() = default;
  virtual void run(CommandContext& context) = 0;
  CLI::App* app = nullptr;
};

}  // namespace spokelab::cli
