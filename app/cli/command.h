// One command of the program; its file in commands/ has the name of the command.
#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "app/cli/context.h"
#include "engine/core/output/job_files.h"

namespace spokelab::cli {

class Command {
 public:
  virtual ~Command() = default;
  // Called before run(): declares all files that the command reads and writes. Throws Error where
  // an output is an input, or cannot be written.
  virtual void declare(JobFiles& files) const = 0;
  virtual void run(CommandContext& context) = 0;
  // True if mpirun and srun divide it over ranks (CommandContext::ranks); else each process runs
  // it.
  virtual bool usesRanks() const { return false; }
  CLI::App* app = nullptr;
};

}  // namespace spokelab::cli
