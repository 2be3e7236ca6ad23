// The list of all commands: a new one is a file here, a line in this header and one in
// command_list.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"

namespace spokelab::cli {

// Adds its subcommand to `parent`; `program` is what examples in its help are called with.
using MakeCommand = std::unique_ptr<Command>(CLI::App& parent, const std::string& program);

MakeCommand makeInfoCommand;
MakeCommand makeSimulateCommand;
MakeCommand makeReconstructCommand;
MakeCommand makeForwardCommand;
MakeCommand makeNufftCommand;
MakeCommand makeType3Command;
MakeCommand makeDensityCommand;
MakeCommand makeMapsCommand;
MakeCommand makeNoiseCommand;
MakeCommand makeLambdaCommand;
MakeCommand makeAskCommand;
MakeCommand makeEchoFieldCommand;
MakeCommand makeFieldCommand;
MakeCommand makeFitCommand;
MakeCommand makeTuneCommand;
MakeCommand makeSweepCommand;
MakeCommand makeStudyCommand;
MakeCommand makeReportCommand;
MakeCommand makeBaselineCommand;
MakeCommand makeSuiteCommand;
MakeCommand makeMergeCommand;
MakeCommand makeRemoteCommand;
MakeCommand makeRunsCommand;
MakeCommand makeWisdomCommand;
MakeCommand makePluginsCommand;
MakeCommand makeCompareCommand;
MakeCommand makeHelpCommand;
MakeCommand makeManualCommand;
MakeCommand makeCompletionCommand;

struct CommandEntry {
  std::string_view name;
  MakeCommand* make;
};

// All commands, in the order of --help.
std::span<const CommandEntry> commandList();

// The options that may precede or follow each command.
struct CommonArguments {
  std::string plugins;  // of --plugins; empty: not given
  bool force = false;   // outputs replace whatever is there, but for what is read
  bool quiet = false, verbose = false;
};

// Commands as subcommands of `app`, and these options. `only`: the name of the one command that is
// wanted; empty: all, which take 10 ms more to describe.
std::vector<std::unique_ptr<Command>> addCommands(CLI::App& app, const std::string& program,
                                                  CommonArguments& common, std::string_view only = {});

}  // namespace spokelab::cli
