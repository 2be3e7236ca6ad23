#include "app/cli/remote/ssh_hosts.h"

#include <glob.h>

#include <algorithm>
#include <fstream>

#include "engine/core/text.h"
#include "engine/core/user_folder.h"

namespace spokelab::cli {
namespace {

namespace fs = std::filesystem;

constexpr int maxIncludes = 8;  // levels of nesting

// The words of a line: "Host a b", "Host=a", "Host \"a\"".
std::vector<std::string> wordsOf(std::string line) {
  if (const std::size_t equals = line.find('='); equals != std::string::npos) line[equals] = ' ';
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c == '#') break;
    if (c != ' ' && c != '\t' && c != '\r' && c != '"')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// Relative names refer to the folder of the user's configuration.
std::vector<fs::path> included(const std::string& word, const fs::path& folder) {
  const fs::path pattern =
      word.starts_with("~/") ? userHome() / word.substr(2) : folder / word;  // an absolute word replaces it
  std::vector<fs::path> files;
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return files;
}

void addHosts(const fs::path& config, const fs::path& folder, int includes, std::vector<std::string>& hosts) {
  std::ifstream file(config);
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> words = wordsOf(line);
    if (words.empty()) continue;
    const std::string keyword = lowerCase(words.front());
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (keyword == "host" && words[i].find_first_of("*?!") == std::string::npos &&
          std::find(hosts.begin(), hosts.end(), words[i]) == hosts.end())
        hosts.push_back(words[i]);
      if (keyword == "include" && includes < maxIncludes)
        for (const fs::path& other : included(words[i], folder)) addHosts(other, folder, includes + 1, hosts);
    }
  }
}

}  // namespace

std::vector<std::string> sshHosts(const fs::path& config) {
  std::vector<std::string> hosts;
  addHosts(config, config.parent_path(), 0, hosts);
  return hosts;
}

}  // namespace spokelab::cli
