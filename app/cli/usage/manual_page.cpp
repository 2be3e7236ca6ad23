#include "app/cli/usage/manual_page.h"

#include <algorithm>
#include <sstream>

#include "engine/core/text.h"
#include "engine/core/version.h"

namespace spokelab::cli {
namespace {

// Text of the page: no character of it is a request or an escape. Hyphens can be copied.
std::string plain(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    begins = c == '\n';
  }
  return out;
}

std::string bold(const std::string& text) {
  return "\\fB" + plain(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + plain(text) + "\\fR";
}

std::string optionEntry(const UsageOption& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "" : ", ") + (option.isPositional ? italic(name) : bold(name));
  if (!option.type.empty() && !option.isPositional) names += ' ' + italic(option.type);
  std::string text = option.text;
  if (!option.initial.empty()) text += ". Default: " + option.initial;
  if (option.isRequired) text += ". Required";
  return ".TP\n" + names + '\n' + plain(text) + '\n';
}

std::string groupTitle(const UsageOption& option) {
  return option.isPositional ? "Arguments" : option.group;
}

std::string optionsText(const UsageCommand& command) {
  std::vector<std::string> groups;
  for (const UsageOption& option : command.options)
    if (std::find(groups.begin(), groups.end(), groupTitle(option)) == groups.end())
      groups.push_back(groupTitle(option));
  std::string text;
  for (const std::string& group : groups) {
    text += ".SS " + plain(group) + '\n';
    for (const UsageOption& option : command.options)
      if (groupTitle(option) == group) text += optionEntry(option);
  }
  return text;
}

// Lines that begin with a blank are examples, "Examples:" is their title.
std::string footerText(const std::string& footer) {
  std::string text;
  std::istringstream lines(footer);
  std::string line;
  bool inExample = false;
  while (std::getline(lines, line)) {
    const bool isExample = line.starts_with(' ');
    if (isExample != inExample) text += isExample ? ".PP\n.EX\n" : ".EE\n.PP\n";
    inExample = isExample;
    text += line == "Examples:" ? ".SH EXAMPLES\n" : plain(line) + '\n';
  }
  return inExample ? text + ".EE\n" : text;
}

std::string called(const std::string& program, const UsageCommand& command) {
  return command.words.empty() ? program : program + ' ' + joined(command.words, " ");
}

std::string synopsis(const std::string& program, const UsageCommand& command) {
  std::string text = bold(called(program, command)) + " [" + italic("options") + ']';
  for (const UsageOption& option : command.options)
    if (option.isPositional)
      text +=
          ' ' + (option.isRequired ? italic(option.names.front()) : '[' + italic(option.names.front()) + ']');
  return command.commands.empty() ? text : text + ' ' + italic("command");
}

}  // namespace

std::string manualName(const std::string& program, const UsageCommand& command) {
  return command.words.empty() ? program : program + '-' + joined(command.words, "-");
}

std::string manualPage(const std::string& program, const UsageCommand& command) {
  const std::string name = manualName(program, command);
  std::string page = ".TH \"" + name + "\" 1 \"\" \"Spokelab " + versionText() + "\" \"Spokelab\"\n";
  page += ".SH NAME\n" + plain(name) + " \\- " + plain(command.text) + '\n';
  page += ".SH SYNOPSIS\n" + synopsis(program, command) + '\n';
  if (!command.commands.empty()) {
    page += ".SH COMMANDS\n";
    for (const UsageCommand& below : command.commands)
      page += ".TP\n" + bold(below.words.back()) + '\n' + plain(below.text) + ". See " +
              bold(manualName(program, below)) + "(1).\n";
  }
  const std::string notes = footerText(command.footer);
  page += ".SH OPTIONS\n" + optionsText(command) +
          (notes.empty() || notes.starts_with(".SH") ? "" : ".SH NOTES\n") + notes;
  if (!command.words.empty()) page += ".SH SEE ALSO\n" + bold(program) + "(1)\n";
  return page;
}

}  // namespace spokelab::cli
