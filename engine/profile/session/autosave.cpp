#include "engine/profile/session/autosave.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/user_folder.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr int uniqueNameAttempts = 100;

}  // namespace

void AutosaveSlot::Close::operator()(const int* descriptor) const {
  ::close(*descriptor);
  delete descriptor;
}

AutosaveSlot::Lock AutosaveSlot::lockFolder(const fs::path& folder) {
  const int descriptor = ::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return {};
  Lock lock(new int(descriptor));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return {};
  return lock;
}

AutosaveSlot AutosaveSlot::make(const fs::path& root) {
  if (root.empty())
    throw Error("Cannot keep the session", "there is no home folder (HOME is not set)",
                "Name a folder with SPOKELAB_AUTOSAVE");
  std::error_code failed;
  fs::create_directories(root, failed);
  const auto time = std::chrono::system_clock::now().time_since_epoch() / std::chrono::milliseconds(1);
  for (int attempt = 0; attempt < uniqueNameAttempts; ++attempt) {
    const fs::path folder = root / (std::to_string(::getpid()) + "-" + std::to_string(time + attempt));
    if (!fs::create_directory(folder, failed)) {
      if (failed) break;
      continue;
    }
    if (Lock lock = lockFolder(folder)) return {folder, std::move(lock)};
  }
  throw Error("Cannot keep the session in " + root.string(),
              failed ? failed.message() : std::string(std::strerror(errno)),
              "Make it writable, or set SPOKELAB_AUTOSAVE to another folder");
}

std::vector<AutosaveSlot> AutosaveSlot::abandoned(const fs::path& root) {
  std::vector<std::pair<fs::file_time_type, AutosaveSlot>> found;
  std::error_code failed;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(root, failed))
    if (entry.is_directory(failed) && entry.path().filename() != "last" &&
        fs::exists(entry.path() / "lock", failed))
      folders.push_back(entry.path());
  for (const fs::path& folder : folders) {
    Lock lock = lockFolder(folder);
    if (!lock) continue;
    AutosaveSlot slot(folder, std::move(lock));
    const auto time = fs::last_write_time(slot.file(), failed);
    if (failed)
      slot.remove();
    else
      found.emplace_back(time, std::move(slot));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<AutosaveSlot> slots;
  for (auto& [time, slot] : found) slots.push_back(std::move(slot));
  return slots;
}

void AutosaveSlot::remove() {
  std::error_code ignored;
  if (isValid()) fs::remove_all(folder_, ignored);
  lock_.reset();
}

void AutosaveSlot::keepAsLast() {
  std::error_code failed;
  if (!isValid() || !fs::exists(file(), failed)) return remove();
  const fs::path last = folder_.parent_path() / "last";
  fs::remove_all(last, failed);
  fs::rename(folder_, last, failed);
  fs::remove(last / "lock", failed);
  lock_.reset();
}

fs::path AutosaveSlot::defaultRoot() {
  if (const fs::path own = pathVariable("SPOKELAB_AUTOSAVE"); !own.empty()) return own;
  const fs::path data = userData();
  return data.empty() ? fs::path() : data / "autosave";
}

fs::path AutosaveSlot::lastSession(const fs::path& root) {
  return root / "last" / "session.spokelab";
}

}  // namespace spokelab
