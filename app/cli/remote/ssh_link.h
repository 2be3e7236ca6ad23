// A machine that the user's own ssh reaches, by their configuration: commands are run there, files
// copied by tar. The environment variable SPOKELAB_SSH names another program than ssh.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/progress.h"

namespace spokelab::cli {

class SshLink {
 public:
  // ssh's own exit code where it could not connect, or lost the connection.
  static constexpr int lost = 255;

  explicit SshLink(std::string host);  // throws Error for what ssh would take for an option
  const std::string& host() const { return host_; }

  // Runs a script by the shell there; `line` gets what it prints, line by line. -> its exit code. A
  // cancel ends ssh (Cancelled). Throws Error where ssh cannot be started.
  int run(const std::string& script, const std::function<void(const std::string&)>& line,
          const Progress& progress) const;
  // Copies files, by absolute paths, below a folder there (FOLDER/home/...). -> ssh's exit code.
  int upload(const std::vector<std::filesystem::path>& files, const std::string& folder,
             const Progress& progress) const;
  // Copies a folder there into a folder here.
  int download(const std::string& folder, const std::filesystem::path& into, const Progress& progress) const;

 private:
  std::string ssh(const std::string& script) const;  // the command line

  std::string host_;
};

}  // namespace spokelab::cli
