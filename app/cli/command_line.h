// Everything the window does, as commands: info, simulate, reconstruct, tune, sweep, report. `spokelab-cli`
// is this alone; `spokelab` uses it too and adds charts to `report`.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/core/progress.h"
#include "engine/recon/backend.h"

namespace spokelab {

// Exit codes, also in --help.
namespace exitCode {
inline constexpr int success = 0;
inline constexpr int failure = 1;        // error in the data or the computation
inline constexpr int usage = 2;          // the command line cannot be understood
inline constexpr int interrupted = 130;  // Ctrl-C: cancelled cleanly, nothing was written
inline constexpr int terminated = 143;   // SIGTERM: the same
}  // namespace exitCode

// What `report` found out: the charts' data.
struct ReportData {
  std::shared_ptr<const Scan> scan;
  Reconstruction reconstruction;    // with its tuning
  TuneResult sweep;                 // alpha x W, predicted and measured
  std::string commandLine;          // repeats it
  std::vector<std::string> charts;  // files that the hook wrote, relative to the report's folder
};

struct CommandLineHooks {
  std::string program = "spokelab-cli";
  // Draws the charts into `folder` and returns their file names (relative to it). Without it `report` writes
  // numbers and images, and says that charts need `spokelab report`.
  std::function<std::vector<std::string>(const ReportData& data, const std::filesystem::path& folder,
                                         const Progress& progress)>
      drawCharts;
};

// True if the first argument is a command, or asks for help or the version: then runCommandLine is meant. A
// program with a window opens it for anything else.
bool isCommandLine(int argc, const char* const* argv);

// Runs one command and returns the exit code. Never throws. Handles SIGINT and SIGTERM while it runs.
int runCommandLine(int argc, const char* const* argv, const CommandLineHooks& hooks = {});

}  // namespace spokelab
