#include "app/cli/commands/command_list.h"

#include <array>

namespace spokelab::cli {

std::span<const CommandEntry> commandList() {
  static constexpr std::array list = {
      CommandEntry{"info", makeInfoCommand},
      CommandEntry{"simulate", makeSimulateCommand},
      CommandEntry{"reconstruct", makeReconstructCommand},
      CommandEntry{"forward", makeForwardCommand},
      CommandEntry{"nufft", makeNufftCommand},
      CommandEntry{"type3", makeType3Command},
      CommandEntry{"density", makeDensityCommand},
      CommandEntry{"maps", makeMapsCommand},
      CommandEntry{"noise", makeNoiseCommand},
      CommandEntry{"lambda", makeLambdaCommand},
      CommandEntry{"ask", makeAskCommand},
      CommandEntry{"field", makeEchoFieldCommand},
      CommandEntry{"off-resonance", makeFieldCommand},
      CommandEntry{"fit", makeFitCommand},
      CommandEntry{"tune", makeTuneCommand},
      CommandEntry{"sweep", makeSweepCommand},
      CommandEntry{"study", makeStudyCommand},
      CommandEntry{"report", makeReportCommand},
      CommandEntry{"baseline", makeBaselineCommand},
      CommandEntry{"suite", makeSuiteCommand},
      CommandEntry{"merge", makeMergeCommand},
      CommandEntry{"remote", makeRemoteCommand},
      CommandEntry{"runs", makeRunsCommand},
      CommandEntry{"wisdom", makeWisdomCommand},
      CommandEntry{"plugins", makePluginsCommand},
      CommandEntry{"compare", makeCompareCommand},
      CommandEntry{"help", makeHelpCommand},
      CommandEntry{"manual", makeManualCommand},
      CommandEntry{"completion", makeCompletionCommand},
  };
  return list;
}

std::vector<std::unique_ptr<Command>> addCommands(CLI::App& app, const std::string& program,
                                                  CommonArguments& common, std::string_view only) {
  app.require_subcommand(1);
  app.add_option("--plugins", common.plugins,
                 "Folder of plug-ins, or several with ':' between them; none: no plug-ins (default: "
                 "$SPOKELAB_PLUGINS, else your own folder and the installed one; see 'plugins')")
      ->type_name("DIR");
  app.add_flag("--force", common.force,
               "Replace whatever an output's name holds, raw data and files of other programs too");
  auto* const quiet = app.add_flag("-q,--quiet", common.quiet,
                                   "Say nothing but errors; files and --json are written all the same");
  app.add_flag("-v,--verbose", common.verbose, "Say each step on standard error, with its time")
      ->excludes(quiet);
  std::vector<std::unique_ptr<Command>> commands;
  for (const CommandEntry& entry : commandList()) {
    if (!only.empty() && entry.name != only) continue;
    commands.push_back(entry.make(app, program));
    CLI::App& added = *commands.back()->app;
    if (!added.get_prefix_command()) added.fallthrough();  // a command that takes all that follows keeps it
  }
  return commands;
}

}  // namespace spokelab::cli
