#include "app/cli/usage/unknown_word.h"

#include <cctype>

namespace spokelab::cli {
namespace {

bool looksLikeOption(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word != "--" && std::isdigit(word[1]) == 0 && word[1] != '.';
}

// "--name" of "--name=value"; "-o" of "-ofile".
std::string optionName(const std::string& word) {
  constexpr std::size_t shortLength = 2;
  return word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, shortLength);
}

// The option of the command, of an option group in it, or of what the command belongs to.
const CLI::Option* findOption(const CLI::App* app, const std::string& name) {
  for (; app; app = app->get_parent()) {
    if (const CLI::Option* option = app->get_option_no_throw(name)) return option;
    for (const CLI::App* group : app->get_subcommands({}))
      if (group->get_name().empty())
        if (const CLI::Option* option = group->get_option_no_throw(name)) return option;
  }
  return nullptr;
}

const CLI::App* findCommand(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_name().empty() && command->check_name(name)) return command;
  return nullptr;
}

std::vector<std::string> commandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_name().empty()) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> optionNames(const CLI::App* app) {
  std::vector<std::string> names;
  const auto add = [&](const CLI::App& from) {
    for (const CLI::Option* option : from.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  };
  for (; app; app = app->get_parent()) {
    add(*app);
    for (const CLI::App* group : app->get_subcommands({}))
      if (group->get_name().empty()) add(*group);
  }
  return names;
}

}  // namespace

std::optional<UnknownWord> findUnknownWord(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") return {};
    if (looksLikeOption(word)) {
      const std::string name = optionName(word);
      const CLI::Option* const option = findOption(command, name);
      if (!option) return UnknownWord{name, true, optionNames(command)};
      const bool valueFollows = option->get_items_expected_min() > 0 &&
                                (name == word || !word.starts_with("--")) &&
                                (word.starts_with("--") || word.size() == name.size());
      if (valueFollows) ++i;
      continue;
    }
    if (const CLI::App* const next = findCommand(*command, word)) {
      command = next;
      if (command->get_prefix_command()) return {};  // another program reads the rest
    } else if (command->get_require_subcommand_min() > 0) {
      return UnknownWord{word, false, commandNames(*command)};
    }
  }
  return {};
}

}  // namespace spokelab::cli
