// The context that a command runs in: backends on demand, what is said, and JSON.
#pragma once

#include <future>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "app/cli/backends.h"
#include "app/cli/command_line.h"
#include "engine/core/jobs/ranks.h"
#include "engine/core/output/job_files.h"
#include "engine/core/progress.h"

namespace spokelab::cli {

// One run of the program.
class CommandContext {
 public:
  CommandContext(const CommandLineHooks& hooks, std::string commandLine, Progress progress)
      : hooks(hooks), commandLine(std::move(commandLine)), progress(std::move(progress)) {}

  const CommandLineHooks& hooks;
  const std::string commandLine;
  const Progress progress;
  JobFiles files;          // what the command reads and writes
  bool quiet = false;      // --quiet: nothing is said
  Ranks* ranks = nullptr;  // that share the job with this process; null: it is alone

  Backends& backends();  // found on first use: some commands need none
  // Begins to find backends in a separate thread: a GPU's module and context take a while to load.
  void findBackends(Backends::Which which);
  // Results in words, for stdout after the command has succeeded; dropped if stdout gets the JSON.
  void say(const std::string& line) {
    if (!quiet) text_ += line + '\n';
  }
  // Adds provenance and writes to the file of --json ("-": stdout, instead of the words).
  void json(const std::string& file, const nlohmann::json& document);
  // The command has done its work and written its results, but they are not what they should be:
  // exit code 1.
  void fail(const std::string& why) { failure_ = why; }
  const std::string& failure() const { return failure_; }
  // Prints what was said. Throws Error where stdout cannot take it.
  void finish();

 private:
  std::future<std::unique_ptr<Backends>> startingBackends_;
  std::unique_ptr<Backends> backends_;
  std::string text_, jsonText_, failure_;
};

}  // namespace spokelab::cli
