// Lists all files that one name refers to, so that none of them is overwritten.
#pragma once

#include <filesystem>
#include <vector>

namespace spokelab {

// `file`, its other half (BART), and arrays that a description names. Does not throw Error.
std::vector<std::filesystem::path> filesBehind(const std::filesystem::path& file);

}  // namespace spokelab
