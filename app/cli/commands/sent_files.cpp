#include "app/cli/commands/sent_files.h"

#include <algorithm>

#include "app/cli/commands/command_list.h"
#include "engine/core/error.h"

namespace spokelab::cli {

void declareSent(const std::vector<std::string>& words, const std::string& host, JobFiles& files) {
  CLI::App sent;
  CommonArguments common;
  const std::string program = CommandLineHooks().program;
  const auto commands = addCommands(sent, program, common);
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    sent.parse(reversed);
  } catch (const CLI::ParseError& error) {
    throw Error("The command for " + host + " cannot be understood", error.what(),
                "See '" + program + ' ' + words.front() + " --help'");
  }
  const auto chosen = std::find_if(commands.begin(), commands.end(),
                                   [](const auto& command) { return command->app->parsed(); });
  if ((*chosen)->app->get_name() == "remote")
    throw Error("The command for " + host + " cannot be sent", "it is sent on itself",
                "Name the machine that shall run the job, and no other");
  if (common.force) replaceForeignFiles();
  (*chosen)->declare(files);
}

}  // namespace spokelab::cli
