// The command line's commands and options as values, for man pages and completions.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace spokelab::cli {

struct UsageOption {
  std::vector<std::string> names;  // "-o", "--output"; a positional's name
  std::string text, type, initial, group;
  std::vector<std::string> choices;  // of its value, where the type lists them
  bool takesValue = false, isPositional = false, isRequired = false;
};

struct UsageCommand {
  std::vector<std::string> words;  // "wisdom", "merge"; none: the program
  std::string text, footer;
  std::vector<UsageOption> options;  // of option groups, too
  std::vector<UsageCommand> commands;
};

UsageCommand usageTree(const CLI::App& app);
// The command and all commands below it, each before what it holds.
std::vector<const UsageCommand*> allCommands(const UsageCommand& root);

}  // namespace spokelab::cli
