#include "engine/core/user_folder.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace spokelab {
namespace {

namespace fs = std::filesystem;

// A folder that belongs to this user, and that nobody else can write to.
bool isPrivate(const fs::path& folder) {
  struct stat status {};
  return ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

fs::path homeInListOfUsers() {
  constexpr std::size_t maxEntryBytes = 1 << 14;
  std::array<char, maxEntryBytes> text{};
  passwd entry{}, *found = nullptr;
  if (::getpwuid_r(::geteuid(), &entry, text.data(), text.size(), &found) != 0 || !found || !found->pw_dir)
    return {};
  return found->pw_dir;
}

fs::path folderOf(const char* variable, const fs::path& inHome) {
  fs::path base = pathVariable(variable);
  if (!base.is_absolute()) {
    const fs::path home = userHome();
    if (home.empty()) return {};
    base = home / inHome;
  }
  return base / "spokelab";
}

}  // namespace

fs::path pathVariable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

fs::path userHome() {
  if (fs::path home = pathVariable("HOME"); !home.empty()) return home;
  for (const fs::path& folder : {homeInListOfUsers(), pathVariable("XDG_RUNTIME_DIR")})
    if (folder.is_absolute() && isPrivate(folder)) return folder;
  return {};
}

fs::path userCache() {
  return folderOf("XDG_CACHE_HOME", ".cache");
}

fs::path userData() {
  return folderOf("XDG_DATA_HOME", fs::path(".local") / "share");
}

}  // namespace spokelab
