// Limits that keep folders, files and classes small, and comments true.
#pragma once

#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace spokelab::structure {

inline constexpr int maxFilesOfFolder = 30, maxLinesOfFile = 400, maxSourcesOfClass = 2;
inline constexpr int maxLinesOfMainWindow = 200;

// A file that may have more lines than others, or a folder that may have more files. A limit is a
// reason to talk: whoever adds a row says why dividing would be worse.
struct Allowance {
  const char *path, *reason;
  int most;
};
const std::vector<Allowance>& allowances();

// One message for each folder, file or class that is over its limit, and for each comment that
// names a document which is not in the repository.
std::vector<std::string> checkLimits(const std::vector<Source>& sources);
// One message for each call that parses a document without limits, reads a number by the locale,
// reads an option of a job outside engine/recon/job, asks the engine's objects for their type, or is
// an instruction that only newer GPUs have, which older ones then do not compile.
std::vector<std::string> checkCalls(const std::vector<Source>& sources);

}  // namespace spokelab::structure
