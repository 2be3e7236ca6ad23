// The directions in which our folders may include each other and the outside, as a check over a source tree.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace spokelab::structure {

// One message, "file:line: includes <x>: why not", for each include of `root`'s folders engine, cuda, widgets and
// app that points the wrong way. An empty result for an empty tree: callers check that files were seen.
struct IncludeReport {
  std::vector<std::string> violations;
  int files = 0;
  int includes = 0;
};
IncludeReport checkIncludes(const std::filesystem::path& root);

// The entries of `root` that do not belong at the top level of the repository, and those that are missing.
// Names that .gitignore lists as /name are not looked at.
std::vector<std::string> checkTopLevel(const std::filesystem::path& root);

}  // namespace spokelab::structure
