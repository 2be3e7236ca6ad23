// A machine that the user's own ssh reaches, by their configuration: commands are run there, files
// copied to it by tar. The environment variable SPOKELAB_SSH names another program than ssh.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/progress.h"

namespace spokelab::cli {

// How ssh ended.
struct SshEnd {
  int code = 0;      // of what it ran there, or SshLink::lost
  std::string said;  // by ssh, and by what it ran there, as errors; its last lines
};

class SshLink {
 public:
  // ssh's own exit code where it could not connect, or lost the connection.
  static constexpr int lost = 255;

  // Where nobody sits at a terminal, ssh is not to ask for a password or a passphrase there.
  enum class Questions { allowed, refused };

  // Throws Error for what ssh would take for an option.
  explicit SshLink(std::string host, Questions questions = Questions::allowed);
  const std::string& host() const { return host_; }

  // Runs a script by the shell there; `line` gets what it prints, line by line. A cancel ends ssh
  // (Cancelled). Throws Error where ssh cannot be started.
  SshEnd run(const std::string& script, const std::function<void(const std::string&)>& line,
             const Progress& progress) const;
  // The same, `take` gets what it prints as it comes, whatever bytes these are.
  SshEnd receive(const std::string& script, const std::function<void(std::string_view)>& take,
                 const Progress& progress) const;
  // Copies files, by absolute paths, below the folder there that `script` ends in (FOLDER/home/...).
  SshEnd upload(const std::vector<std::filesystem::path>& files, const std::string& script,
                const Progress& progress) const;
  // Throws Error where `end` is a connection that was not made or got lost: what failed ("Cannot
  // begin on node7"), what ssh said, and what to do about it.
  void requireConnected(const SshEnd& end, const std::string& problem) const;

 private:
  std::string ssh(const std::string& script) const;  // the command line

  std::string host_;
  Questions questions_;
};

}  // namespace spokelab::cli
