#include "app/cli/usage/usage_tree.h"

#include <sstream>

namespace spokelab::cli {
namespace {

// "{a,b,c}" and "{a,b}|NAME" list choices.
std::vector<std::string> choicesOf(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t end = type.find('}');
  if (!type.starts_with('{') || end == std::string::npos) return choices;
  std::istringstream text(type.substr(1, end - 1));
  std::string choice;
  while (std::getline(text, choice, ',')) choices.push_back(choice);
  return choices;
}

UsageOption optionOf(const CLI::Option& option) {
  UsageOption o;
  for (const std::string& name : option.get_snames()) o.names.push_back('-' + name);
  for (const std::string& name : option.get_lnames()) o.names.push_back("--" + name);
  o.isPositional = o.names.empty();
  if (o.isPositional) o.names.push_back(option.get_name(true));
  o.text = option.get_description();
  o.group = option.get_group();
  o.takesValue = option.get_type_size() != 0;
  if (o.takesValue) {
    o.type = option.get_type_name();
    o.initial = option.get_default_str();
    o.choices = choicesOf(o.type);
  }
  o.isRequired = option.get_required();
  return o;
}

void addTo(UsageCommand& command, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) command.options.push_back(optionOf(*option));
  for (const CLI::App* below : app.get_subcommands({})) {
    if (below->get_name().empty()) {
      addTo(command, *below);
      continue;
    }
    UsageCommand& next = command.commands.emplace_back();
    next.words = command.words;
    next.words.push_back(below->get_name());
    next.text = below->get_description();
    next.footer = below->get_footer();
    addTo(next, *below);
  }
}

void listCommands(const UsageCommand& command, std::vector<const UsageCommand*>& all) {
  all.push_back(&command);
  for (const UsageCommand& below : command.commands) listCommands(below, all);
}

}  // namespace

UsageCommand usageTree(const CLI::App& app) {
  UsageCommand root;
  root.text = app.get_description();
  root.footer = app.get_footer();
  addTo(root, app);
  return root;
}

std::vector<const UsageCommand*> allCommands(const UsageCommand& root) {
  std::vector<const UsageCommand*> all;
  listCommands(root, all);
  return all;
}

}  // namespace spokelab::cli
