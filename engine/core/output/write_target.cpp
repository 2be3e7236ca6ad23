#include "engine/core/output/write_target.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <ctime>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/core/output/write_error.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr int maxLinks = 40;  // as the kernel follows
constexpr int pollMs = 50;    // between two looks whether the job was cancelled

// As the effective user, whom the kernel asks when the file is opened.
bool isAllowed(const fs::path& file, int mode) {
  return ::faccessat(AT_FDCWD, file.c_str(), mode, AT_EACCESS) == 0;
}

// N of /proc/<this process>/fd/N, else -1.
int ownDescriptor(const fs::path& file) {
  std::error_code failed;
  const fs::path folder = fs::canonical(folderOf(file), failed);
  if (failed || folder != fs::path("/proc") / std::to_string(::getpid()) / "fd") return -1;
  const std::string digits = file.filename().string();
  int descriptor = -1;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), descriptor);
  return read.ec == std::errc() && read.ptr == digits.data() + digits.size() ? descriptor : -1;
}

// A stream open for writing, SIGPIPE blocked: a reader that has ended is an error.
class OpenStream {
 public:
  OpenStream(const WriteTarget& stream, const Progress& progress) : name_(stream.name), progress_(progress) {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before_);
    try {
      open(stream);
    } catch (...) {
      pthread_sigmask(SIG_SETMASK, &before_, nullptr);
      throw;
    }
  }
  ~OpenStream() {
    if (fd_ >= 0) ::close(fd_);
    if (broken_ && sigismember(&before_, SIGPIPE) == 0) {  // the signal that is still waiting
      sigset_t pipe;
      sigemptyset(&pipe);
      sigaddset(&pipe, SIGPIPE);
      const timespec atOnce{};
      sigtimedwait(&pipe, nullptr, &atOnce);
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;

  void write(std::string_view content) {
    while (!content.empty()) {
      progress_.checkpoint();
      pollfd room{fd_, POLLOUT, 0};
      if (::poll(&room, 1, pollMs) == 0) continue;
      // A pipe with room takes so much without blocking, and so a cancel is never missed.
      const ssize_t written = ::write(fd_, content.data(), std::min<std::size_t>(content.size(), PIPE_BUF));
      if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      broken_ = written < 0 && errno == EPIPE;
      if (written < 0) throw writeError(name_, errno);
      content.remove_prefix(std::size_t(written));
    }
  }

 private:
  void open(const WriteTarget& stream) {
    while (true) {
      progress_.checkpoint();
      fd_ = stream.descriptor >= 0
                ? ::fcntl(stream.descriptor, F_DUPFD_CLOEXEC, 0)
                : ::open(stream.place.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
      if (fd_ >= 0) return;
      if (errno != ENXIO && errno != EINTR) throw writeError(name_, errno);
      std::this_thread::sleep_for(std::chrono::milliseconds(pollMs));  // nobody reads the pipe yet
    }
  }

  const fs::path& name_;
  const Progress& progress_;
  int fd_ = -1;
  bool broken_ = false;
  sigset_t before_{};
};

}  // namespace

fs::path folderOf(const fs::path& file) {
  const fs::path parent = file.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

WriteTarget writeTarget(const fs::path& name) {
  WriteTarget target;
  target.name = target.place = name;
  if (name.filename().empty()) throw writeError(name, EISDIR);
  for (int links = 0;; ++links) {
    target.descriptor = ownDescriptor(target.place);
    if (target.descriptor >= 0) {
      target.isStream = true;
      return target;
    }
    std::error_code failed;
    const fs::path next = fs::read_symlink(target.place, failed);
    if (failed) break;
    if (links == maxLinks) throw writeError(name, ELOOP);
    target.place = next.is_absolute() ? next : folderOf(target.place) / next;
  }
  struct stat status {};
  if (::stat(target.place.c_str(), &status) != 0) return target;
  if (S_ISDIR(status.st_mode)) throw writeError(name, EISDIR);
  target.isStream = !S_ISREG(status.st_mode);
  return target;
}

void requireWritable(const fs::path& name) {
  if (name.empty()) throw Error("Cannot write the result", "no file is named", "Give the file a name");
  const WriteTarget target = writeTarget(name);
  if (target.descriptor >= 0) {
    const int flags = ::fcntl(target.descriptor, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) throw writeError(name, EBADF);
    return;
  }
  std::error_code ignored;
  if (fs::exists(target.place, ignored) && !isAllowed(target.place, W_OK)) throw writeError(name, errno);
  if (target.isStream) return;
  const fs::path folder = folderOf(target.place);
  const std::string problem = "Cannot write " + name.string();
  if (!fs::exists(folder, ignored))
    throw Error(problem, "the folder " + folder.string() + " does not exist",
                "Create it, or choose another folder");
  if (!fs::is_directory(folder, ignored))
    throw Error(problem, folder.string() + " is not a folder", "Choose another folder");
  if (!isAllowed(folder, W_OK | X_OK)) throw writeError(name, errno);
}

void writeToStream(const WriteTarget& stream, std::string_view content, const Progress& progress) {
  OpenStream(stream, progress).write(content);
}

void copyToStream(const WriteTarget& stream, const fs::path& from, const Progress& progress) {
  const int in = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0) throw writeError(stream.name, errno);
  const struct Closing {
    int fd;
    ~Closing() { ::close(fd); }
  } closing{in};
  OpenStream out(stream, progress);
  constexpr std::size_t blockBytes = std::size_t{1} << 16;
  std::vector<char> block(blockBytes);
  while (true) {
    const ssize_t got = ::read(in, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw writeError(stream.name, errno);
    if (got == 0) return;
    out.write({block.data(), std::size_t(got)});
  }
}

}  // namespace spokelab
