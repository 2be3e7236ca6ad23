// The first word of a command line that no command or option has as its name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace spokelab::cli {

struct UnknownWord {
  std::string word;                 // "recon", "--itterations"
  bool isOption = false;            // else a command was expected there
  std::vector<std::string> likely;  // the names that were possible there
};

// words: without the program's name. Empty if each word that names a command or an option is known:
// then something else is wrong with the command line.
std::optional<UnknownWord> findUnknownWord(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace spokelab::cli
