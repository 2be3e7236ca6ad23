// Tells of changes to the files of a folder and of the folders that are in it, so that a kill can
// come while one is written.
#pragma once

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <filesystem>

namespace spokelab::test {

class FolderWatch {
 public:
  explicit FolderWatch(const std::filesystem::path& root)
      : descriptor_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    watching_ = watch(root);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
      if (entry.is_directory()) watching_ = watching_ && watch(entry.path());
  }
  ~FolderWatch() { ::close(descriptor_); }
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  bool watching() const { return watching_; }
  // Waits for the next change, ms at most.
  void wait(int ms) const {
    pollfd one{descriptor_, POLLIN, 0};
    std::array<char, 4096> events{};
    if (::poll(&one, 1, ms) > 0) [[maybe_unused]]
      const ssize_t ignored = ::read(descriptor_, events.data(), events.size());
  }

 private:
  bool watch(const std::filesystem::path& folder) const {
    return ::inotify_add_watch(descriptor_, folder.c_str(), IN_CREATE | IN_MODIFY | IN_MOVED_TO) >= 0;
  }
  int descriptor_;
  bool watching_ = false;
};

}  // namespace spokelab::test
