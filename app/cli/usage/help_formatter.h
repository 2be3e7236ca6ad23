// --help, wrapped to the terminal's columns.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace spokelab::cli {

// Columns of the terminal that the program talks to, else of $COLUMNS, else 80; 40 to 120.
int helpColumns();

// Lines of at most `columns`, broken at blanks, each but the first behind `indent` blanks. A longer
// word is broken behind its commas. Line breaks of `text` are kept. Lines that begin with a blank
// are examples to be copied, and are not broken.
std::string wrapped(const std::string& text, int columns, int indent = 0);

class HelpFormatter final : public CLI::Formatter {
 public:
  explicit HelpFormatter(int columns) : columns_(columns) {}
  std::string make_option(const CLI::Option* option, bool isPositional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;

 private:
  std::string entry(const std::string& name, const std::string& text) const;
  int columns_;
};

}  // namespace spokelab::cli
