// All files that one name stands for, so that none of them is written over.
#pragma once

#include <filesystem>
#include <vector>

namespace spokelab {

// `file` itself, the other half of a BART pair, and the arrays that a scan's description names.
// What cannot be read names nothing more. Never throws Error.
std::vector<std::filesystem::path> filesBehind(const std::filesystem::path& file);

}  // namespace spokelab
