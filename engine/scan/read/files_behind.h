// Lists all files that one name refers to, so that none of them is overwritten.
#pragma once

#include <filesystem>
#include <vector>

namespace spokelab {

// `file`, the other half of a BART pair, and the arrays that a scan's description names. Unreadable
// files name nothing more. Does not throw Error.
std::vector<std::filesystem::path> filesBehind(const std::filesystem::path& file);

}  // namespace spokelab
