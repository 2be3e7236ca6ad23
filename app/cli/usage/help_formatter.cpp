#include "app/cli/usage/help_formatter.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace spokelab::cli {
namespace {

constexpr int textColumn = 30;  // where descriptions begin

// Columns that a text in UTF-8 takes: one for each character.
int columnsOf(const std::string& text) {
  constexpr unsigned continuationMask = 0xC0, continuation = 0x80;
  return int(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & continuationMask) != continuation;
  }));
}

// "{a," "b," "c}"
std::vector<std::string> cutAtCommas(const std::string& word) {
  std::vector<std::string> parts(1);
  for (const char c : word) {
    parts.back() += c;
    if (c == ',') parts.emplace_back();
  }
  return parts;
}

// A sentence that was broken over lines becomes one line again. Examples begin with a blank.
std::string reflowed(const std::string& text) {
  constexpr std::size_t brokenLength = 60;
  std::string out, line;
  std::istringstream lines(text);
  bool goesOn = false;
  while (std::getline(lines, line)) {
    const bool isText = !line.empty() && line[0] != ' ' && !line.starts_with("Exit codes");
    if (!out.empty()) out += goesOn && isText ? ' ' : '\n';
    out += line;
    goesOn = !line.starts_with(' ') && line.size() >= brokenLength;
  }
  return out;
}

}  // namespace

int helpColumns() {
  constexpr int usual = 80, fewest = 40, most = 120;
  for (const int file : {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO}) {
    winsize size{};
    if (isatty(file) == 1 && ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
      return std::clamp(int(size.ws_col), fewest, most);
  }
  const char* const told = std::getenv("COLUMNS");
  const int columns = told ? std::atoi(told) : 0;
  return columns > 0 ? std::clamp(columns, fewest, most) : usual;
}

std::string wrapped(const std::string& text, int columns, int indent) {
  std::string out;
  std::istringstream lines(text);
  std::string line;
  const std::string blanks(std::size_t(indent), ' ');
  for (bool first = true; std::getline(lines, line); first = false) {
    if (!first) out += '\n' + blanks;
    if (line.starts_with(' ')) {
      out += line;
      continue;
    }
    int used = indent;
    std::istringstream words(line);
    std::string word;
    while (words >> word) {
      bool joins = false;  // to the part of the word before it
      for (const std::string& part :
           columnsOf(word) > columns - indent ? cutAtCommas(word) : std::vector{word}) {
        const int blank = used == indent || joins ? 0 : 1;
        const bool breaks = used > indent && used + blank + columnsOf(part) > columns;
        out += breaks ? '\n' + blanks : std::string(std::size_t(blank), ' ');
        used = (breaks ? indent : used + blank) + columnsOf(part);
        out += part;
        joins = true;
      }
    }
  }
  return out;
}

std::string HelpFormatter::entry(const std::string& name, const std::string& text) const {
  const std::string shown = "  " + wrapped(name, columns_, 2 + 2);
  const bool ownLine = columnsOf(shown) + 2 > textColumn;
  const std::string gap = ownLine ? '\n' + std::string(textColumn, ' ')
                                  : std::string(std::size_t(textColumn - columnsOf(shown)), ' ');
  return shown + (text.empty() ? "" : gap + wrapped(text, columns_, textColumn)) + '\n';
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool isPositional) const {
  return entry(make_option_name(option, isPositional) + make_option_opts(option), make_option_desc(option));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description());
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  const std::string text = wrapped(Formatter::make_description(app), columns_);
  return text.empty() ? text : text + '\n';
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  const std::string text = wrapped(reflowed(app->get_footer()), columns_);
  return text.empty() ? text : text + '\n';
}

}  // namespace spokelab::cli
