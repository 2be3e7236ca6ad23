// The name that a writer which was killed left behind.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "engine/core/output/temporary_name.h"

namespace spokelab::test {

// The hidden name, in the target's folder, that a process which has ended gave to its half-written
// target.
inline std::filesystem::path leftByKilledWriter(const std::filesystem::path& target) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  int status = 0;
  ::waitpid(child, &status, 0);
  std::string name = temporaryName("", target.filename()).string();
  const std::string own = "-" + std::to_string(::getpid()) + "-";
  name.replace(name.rfind(own), own.size(), "-" + std::to_string(child) + "-");
  return target.parent_path() / name;
}

}  // namespace spokelab::test
