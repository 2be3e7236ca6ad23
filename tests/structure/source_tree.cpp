#include "tests/structure/source_tree.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

namespace spokelab::structure {
namespace {

namespace fs = std::filesystem;

bool isSource(const fs::path& path) {
  static const std::set<std::string> extensions = {".h", ".hpp", ".cuh", ".inl", ".cpp", ".cu"};
  return extensions.contains(path.extension().string());
}

Source readSource(const fs::path& root, const fs::path& file) {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*$)");
  Source source;
  source.path = file.lexically_relative(root).generic_string();
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    source.lines.push_back(line);
    std::smatch match;
    if (line.find("include") != std::string::npos && std::regex_match(line, match, pattern))
      source.includes.push_back({int(source.lines.size()), match[2], match[1] == "\""});
  }
  return source;
}

}  // namespace

std::vector<Source> readSources(const fs::path& root) {
  std::vector<Source> sources;
  for (const char* top : {"engine", "cuda", "widgets", "app"}) {
    if (!fs::is_directory(root / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / top))
      if (entry.is_regular_file() && isSource(entry.path()))
        sources.push_back(readSource(root, entry.path()));
  }
  std::sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) { return a.path < b.path; });
  return sources;
}

}  // namespace spokelab::structure
