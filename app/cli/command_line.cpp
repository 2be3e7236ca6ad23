#include "app/cli/command_line.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "app/cli/commands/command_list.h"
#include "app/cli/interrupt.h"
#include "app/cli/program_errors.h"
#include "app/cli/progress_bar.h"
#include "app/cli/ranks/rank_command.h"
#include "app/cli/usage/help_formatter.h"
#include "app/cli/usage/unknown_word.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/core/text.h"
#include "engine/core/version.h"
#include "engine/nufft/plugin/plugin_folders.h"
#include "engine/scan/read/piped_input.h"

namespace spokelab {
namespace {

using namespace cli;

std::string commandLineText(const std::string& program, int argc, const char* const* argv) {
  std::string text = program;
  for (int i = 1; i < argc; ++i) text += ' ' + shellWord(argv[i]);
  return text;
}

std::string exitCodeHelp() {
  return "Exit codes: " + std::to_string(exitCode::success) + " done; " + std::to_string(exitCode::failure) +
         " error in the data or the computation; " + std::to_string(exitCode::usage) +
         " the command line\ncannot be understood; " + std::to_string(exitCode::interrupted) +
         " cancelled by Ctrl-C, " + std::to_string(exitCode::terminated) +
         " by SIGTERM (no file is left half written).";
}

// Sanitizers look for what was leaked, and profilers write their counts, at the program's own end.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
void endProcess(int) {
}
#else
[[noreturn]] void endProcess(int code) {
  std::fflush(nullptr);
  removePipedInput();
  ::_exit(code);
}
#endif

int runCommand(Command& command, const CommandLineHooks& hooks, const std::string& commandLine, Talk talk) {
  const LaunchedRanks launched = command.usesRanks() ? launchedRanks() : LaunchedRanks{};
  if (launched.size > 1) return runOnRanks(command, launched, hooks, commandLine, talk);
  Interrupt interrupt;
  ProgressBar bar(talk);
  CommandContext context(hooks, commandLine, Progress(interrupt.token(), bar.report()));
  context.quiet = talk == Talk::quiet;
  try {
    command.declare(context.files);
    requireReplaceable("/dev/stdout", OutputKind::words);  // the words' place may be a file, too
    command.run(context);
    bar.clear();
    context.finish();
    if (context.failure().empty()) {
      if (hooks.endsProcess) endProcess(exitCode::success);
      return exitCode::success;
    }
    printError(hooks.program, context.failure(), "", "");
  } catch (const Cancelled&) {
    bar.clear();
    return cancelled(hooks.program, interrupt.signal());
  } catch (const Error& error) {
    bar.clear();
    printError(hooks.program, error);
  } catch (const std::bad_alloc&) {
    bar.clear();
    printError(hooks.program, outOfMemory());
  } catch (const std::exception& error) {
    bar.clear();
    printError(hooks.program, "The command failed", error.what(), remedyFor(error));
  }
  return exitCode::failure;
}

bool isCommand(std::string_view word) {
  const auto list = commandList();
  return std::any_of(list.begin(), list.end(), [&](const CommandEntry& entry) { return entry.name == word; });
}

// A word that nothing has as its name is the first mistake; the parser may see another one.
int sayWhatIsWrong(const CLI::App& app, const std::vector<std::string>& words, const CLI::ParseError& error) {
  const std::string& program = app.get_name();
  const bool named = !words.empty() && isCommand(words[0]);
  const std::string see = "See '" + program + (named ? ' ' + words[0] : "") + " --help'";
  if (const auto unknown = findUnknownWord(app, words)) {
    const std::string what = unknown->isOption ? "Unknown option " : "Unknown command ";
    printError(program, what + unknown->word, "", didYouMean(unknown->word, unknown->likely) + see);
  } else {
    const bool nothing = words.empty();
    printError(program, nothing ? "No command is named" : error.what(), "", see);
  }
  return exitCode::usage;
}

// The parser of a command line, and its commands. `only`: see addCommands().
struct Grammar {
  Grammar(const std::string& program, std::string_view only)
      : app("Spokelab: reconstruct non-Cartesian MRI, and see where the time goes.", program) {
    app.set_version_flag("-V,--version", program + ' ' + versionText());
    app.formatter(std::make_shared<HelpFormatter>(helpColumns()));
    app.failure_message(CLI::FailureMessage::simple);
    commands = addCommands(app, program, common, only);
    app.footer("Examples:\n  " + program + " info scan.h5\n  " + program +
               " reconstruct scan.h5 -o image.nii.gz\n  " + program + " report demo -o report\n'" + program +
               " COMMAND --help' tells more.\n" + exitCodeHelp() + '\n');
    for (const auto& command : commands)
      command->app->footer(command->app->get_footer() + '\n' + exitCodeHelp());
  }

  CLI::App app;
  CommonArguments common;
  std::vector<std::unique_ptr<Command>> commands;
};

// The command that the first word names; empty: another word, or one that tells of all commands.
std::string_view soleCommand(int argc, const char* const* argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  for (const std::string_view ofAll : {"help", "manual", "completion"})
    if (first == ofAll) return {};
  return isCommand(first) ? first : std::string_view();
}

int run(int argc, const char* const* argv, const CommandLineHooks& hooks) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the user's size limit is then an error like a full disk
  const std::string& program = hooks.program;
  Grammar grammar(program, soleCommand(argc, argv));
  CLI::App& app = grammar.app;
  const CommonArguments& common = grammar.common;
  const auto& commands = grammar.commands;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == int(CLI::ExitCodes::Success)) {  // --help, --version
      app.exit(error);
      return std::fflush(stdout) == 0 ? exitCode::success : exitCode::failure;
    }
    const Grammar all(program, {});
    return sayWhatIsWrong(all.app, std::vector<std::string>(argv + 1, argv + argc), error);
  }
  if (!common.plugins.empty()) setenv(pluginsVariable, common.plugins.c_str(), 1);  // no thread yet
  if (common.force) replaceForeignFiles();
  const auto chosen = std::find_if(commands.begin(), commands.end(),
                                   [](const auto& command) { return command->app->parsed(); });
  const Talk talk = common.quiet ? Talk::quiet : common.verbose ? Talk::verbose : Talk::usual;
  return runCommand(**chosen, hooks, commandLineText(program, argc, argv), talk);
}

}  // namespace

bool isCommandLine(int argc, const char* const* argv) {
  if (argc < 2) return false;
  const std::string first = argv[1];
  if (first == "--help" || first == "-h" || first == "--version" || first == "-V") return true;
  return isCommand(first);
}

int runCommandLine(int argc, const char* const* argv, const CommandLineHooks& hooks) {
  try {
    return run(argc, argv, hooks);
  } catch (const std::exception& error) {
    printError(hooks.program, "The command failed", error.what(), remedyFor(error));
    return exitCode::failure;
  }
}

}  // namespace spokelab
