// A machine that the user's ssh reaches by their configuration. Runs commands there and copies
// files to it by tar. The environment variable SPOKELAB_SSH names another program than ssh.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/progress.h"

namespace spokelab::cli {

struct SshEnd {
  int code = 0;      // of the script there, or SshLink::lost
  std::string said;  // last lines of errors, from ssh or the script
};

class SshLink {
 public:
  // ssh's exit code if it could not connect or lost the connection.
  static constexpr int lost = 255;

  // Without a user at the terminal, ssh must not ask for a password or a passphrase.
  enum class Questions { allowed, refused };

  // Throws Error for a host name that ssh would read as an option.
  explicit SshLink(std::string host, Questions questions = Questions::allowed);
  const std::string& host() const { return host_; }

  // Runs a script in the shell there; `line` gets each line of output. Throws Cancelled, which ends
  // ssh, and Error if ssh cannot start.
  SshEnd run(const std::string& script, const std::function<void(const std::string&)>& line,
             const Progress& progress) const;
  // The same for output of any bytes: `take` gets them as they arrive.
  SshEnd receive(const std::string& script, const std::function<void(std::string_view)>& take,
                 const Progress& progress) const;
  // Runs `script` there, then copies files into the folder in which it ends, each below its
  // absolute path (FOLDER/home/...).
  SshEnd upload(const std::vector<std::filesystem::path>& files, const std::string& script,
                const Progress& progress) const;
  // Throws Error if `end` is a lost connection: problem, ssh's message, remedy.
  void requireConnected(const SshEnd& end, const std::string& problem) const;

 private:
  std::string ssh(const std::string& script) const;  // the command line

  std::string host_;
  Questions questions_;
};

}  // namespace spokelab::cli
