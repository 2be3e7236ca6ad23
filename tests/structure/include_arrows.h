// The directions in which our folders may include each other and the outside, as a check over a
// source tree.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace spokelab::structure {

// One message, "file:line: includes <x>: why not", for each include that points the wrong way.
std::vector<std::string> checkIncludes(const std::filesystem::path& root, const std::vector<Source>& sources);

// The entries of `root` that do not belong at the top level of the repository, and those that are
// missing.
// Names that .gitignore lists as /name are not looked at.
std::vector<std::string> checkTopLevel(const std::filesystem::path& root);

}  // namespace spokelab::structure
