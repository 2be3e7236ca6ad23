// Everything the window does, as commands: info, simulate, reconstruct, tune, sweep, report.
// `spokelab-cli` is this alone; `spokelab` uses it too and adds charts to `report`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/profile/report/report.h"
#include "engine/profile/study/study_page.h"

namespace spokelab {

// Exit codes, also in --help.
namespace exitCode {
inline constexpr int success = 0;
inline constexpr int failure = 1;        // error in the data or the computation
inline constexpr int usage = 2;          // the command line cannot be understood
inline constexpr int interrupted = 130;  // Ctrl-C: cancelled cleanly, nothing was written
inline constexpr int terminated = 143;   // SIGTERM: the same
}  // namespace exitCode

struct CommandLineHooks {
  std::string program = "spokelab-cli";
  // Draws a sweep's charts; `accuracy`: the one asked for. Without it `report` writes numbers and
  // images, and says that charts need `spokelab report`.
  std::function<std::vector<ReportFile>(const TuneResult& sweep, double accuracy)> drawCharts;
  DrawStudyPdf drawStudyPdf;  // of `study --report`; without it there is HTML alone
  DrawPdf drawPdf;            // draws a report's PDF; without it no report.pdf is written
  // The program ends when the command is done and its results are written: nothing is freed piece
  // by piece that the end of the process frees at once (a GPU's context, gigabytes of samples). Not
  // inside another program.
  bool endsProcess = false;
};

// True if the first argument is a command, or asks for help or the version: then runCommandLine is
// meant. A program with a window opens it for anything else.
bool isCommandLine(int argc, const char* const* argv);

// Runs one command and returns the exit code. Never throws. Handles SIGINT and SIGTERM while it
// runs.
int runCommandLine(int argc, const char* const* argv, const CommandLineHooks& hooks = {});

}  // namespace spokelab
