#include "engine/scan/read/piped_input.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

// The files of all pipes that were read; they go with the program.
class KeptPipes {
 public:
  ~KeptPipes() { remove(); }
  void remove() {
    const std::lock_guard lock(mutex_);
    std::error_code ignored;
    for (const auto& [pipe, file] : files_) fs::remove(file, ignored);
    files_.clear();
  }
  fs::path fileOf(const fs::path& pipe, const Progress& progress) {
    const std::lock_guard lock(mutex_);
    const auto known = files_.find(pipe);
    return known != files_.end() ? known->second : files_[pipe] = keep(pipe, progress);
  }

 private:
  static fs::path keep(const fs::path& pipe, const Progress& progress);

  std::mutex mutex_;
  std::map<fs::path, fs::path> files_;
};

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > STDERR_FILENO) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

// Waits a moment for bytes, so that a cancel is seen; false where none came.
bool awaitBytes(int fd, const Progress& progress) {
  constexpr int stepMilliseconds = 50;
  progress.checkpoint();
  pollfd wait{fd, POLLIN, 0};
  return ::poll(&wait, 1, stepMilliseconds) != 0;
}

fs::path KeptPipes::keep(const fs::path& pipe, const Progress& progress) {
  const std::string problem = "Cannot read " + (pipe == "-" ? std::string("standard input") : pipe.string());
  const Descriptor in(pipe == "-" ? STDIN_FILENO : ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (in.get() < 0) throw Error(problem, std::strerror(errno), "Check the name and the permissions");
  if (pipe == "-" && ::isatty(STDIN_FILENO))
    throw Error(problem, "nothing is piped into the program",
                "Pipe a stream into it, as in: siemens_to_ismrmrd ... | spokelab info -");
  std::string name = (fs::temp_directory_path() / "spokelab-pipe-XXXXXX").string();
  const Descriptor out(::mkstemp(name.data()));
  if (out.get() < 0)
    throw Error(
        problem,
        "no file can be made in " + fs::temp_directory_path().string() + " (" + std::strerror(errno) + ")",
        "Set TMPDIR to a folder with room for the scan");
  const auto fail = [&](const std::string& reason, const std::string& remedy) {
    std::error_code ignored;
    fs::remove(name, ignored);
    throw Error(problem, reason, remedy);
  };
  std::vector<char> bytes(std::size_t{1} << 20);
  double total = 0;
  constexpr int waitMilliseconds = 20, maxWaits = 100;  // two seconds
  int waits = 0;
  try {
    for (;;) {
      // A named pipe is read without blocking: that tells one without a writer from a slow one.
      if (!awaitBytes(in.get(), progress) && pipe == "-") continue;
      const ssize_t got = ::read(in.get(), bytes.data(), bytes.size());
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got < 0) fail(std::strerror(errno), "Start the program that writes into it again");
      // A pipe that has no writer yet ends at once, too.
      if (got == 0 && total == 0 && pipe != "-" && ++waits < maxWaits) {
        std::this_thread::sleep_for(std::chrono::milliseconds(waitMilliseconds));
        continue;
      }
      if (got == 0) break;
      for (ssize_t done = 0; done < got;) {
        const ssize_t put = ::write(out.get(), bytes.data() + done, std::size_t(got - done));
        if (put < 0 && errno == EINTR) continue;
        if (put < 0)
          fail(std::string("it cannot be kept in ") + name + " (" + std::strerror(errno) + ")",
               "Set TMPDIR to a folder with room for the scan");
        done += put;
      }
      total += double(got);
      progress.report(0, "Received " + bytesText(total));
    }
  } catch (const Cancelled&) {
    std::error_code ignored;
    fs::remove(name, ignored);
    throw;
  }
  if (total == 0)
    fail("it is not a regular file but a pipe, and nothing came through it",
         "Start the program that writes into it");
  return name;
}

KeptPipes& keptPipes() {
  static KeptPipes pipes;
  return pipes;
}

}  // namespace

bool isPipe(const fs::path& file) {
  if (file == "-") return true;
  std::error_code failed;
  const fs::file_type type = fs::status(file, failed).type();
  return type == fs::file_type::fifo || type == fs::file_type::socket;
}

fs::path regularFileOf(const fs::path& file, const Progress& progress) {
  return isPipe(file) ? keptPipes().fileOf(file, progress) : file;
}

void removePipedInput() {
  keptPipes().remove();
}

}  // namespace spokelab
