// The machines that the user's configuration of ssh names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace spokelab::cli {

// The names behind "Host" in a file like ~/.ssh/config and in those that it includes, without
// patterns, in their order. No file: none.
std::vector<std::string> sshHosts(const std::filesystem::path& config);

}  // namespace spokelab::cli
