// Lists the machines in the user's configuration of ssh.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace spokelab::cli {

// Names after "Host" in a file like ~/.ssh/config and in the files that it includes, in order,
// without patterns. Empty without the file.
std::vector<std::string> sshHosts(const std::filesystem::path& config);

}  // namespace spokelab::cli
