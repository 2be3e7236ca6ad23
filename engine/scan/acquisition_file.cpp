#include "engine/scan/acquisition_file.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/core/array.h"
#include "engine/scan/acquisition_worker.h"
#include "engine/scan/memory_check.h"

namespace spokelab {
namespace {

constexpr int lookMilliseconds = 50;  // between two looks at the stop token
constexpr rlim_t leastCpuSeconds = 10;
constexpr std::uintmax_t bytesPerCpuSecond = 10u << 20;  // far below what a sound file takes

const char* const copyAgain = "Copy the file again, or write it again with the program that made it";

// In the child: a crash or a loop ends it, quietly.
void limitChild(std::uintmax_t fileBytes) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGTERM}) signal(s, SIG_DFL);
  signal(SIGINT, SIG_IGN);  // the parent answers Ctrl-C
  const rlim_t seconds = leastCpuSeconds + fileBytes / bytesPerCpuSecond;
  const rlimit cpu{seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &cpu);
}

}  // namespace

class AcquisitionFile::Child {
 public:
  Child(const std::filesystem::path& file, const std::string& group)
      : summary_("Cannot read " + file.string()) {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw Error(summary_, std::strerror(errno), "Close other programs and try again");
    const std::uintmax_t bytes = std::filesystem::file_size(file);
    {
      const Hdf5Lock lock;  // no other thread is inside HDF5 while its state is copied; the child keeps it
      pid_ = ::fork();
      if (pid_ == 0) {
        ::close(ends[0]);
        limitChild(bytes);
        serveAcquisitions(ends[1], file, group);
        ::_exit(0);
      }
    }
    const int code = errno;
    ::close(ends[1]);
    socket_ = ends[0];
    if (pid_ < 0) {
      ::close(socket_);
      throw Error(summary_, std::string("no process can be started: ") + std::strerror(code),
                  "Close other programs and try again");
    }
  }
  ~Child() {
    ::close(socket_);
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      wait();
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(const void* data, std::size_t bytes, const Progress& progress) {
    transfer(static_cast<char*>(const_cast<void*>(data)), bytes, POLLOUT, progress);
  }
  void receive(void* data, std::size_t bytes, const Progress& progress) {
    transfer(static_cast<char*>(data), bytes, POLLIN, progress);
  }

  // The next message but an error, which is thrown.
  WorkerFrame next(const Progress& progress) {
    WorkerFrame frame;
    receive(&frame, sizeof frame, progress);
    if (frame.kind != WorkerMessage::error) return frame;
    std::string text(frame.bytes, '\0');
    receive(text.data(), text.size(), progress);
    const std::size_t first = text.find(workerTextSeparator),
                      second = text.find(workerTextSeparator, first + 1);
    throw Error(text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1));
  }

  [[noreturn]] void damaged(const std::string& reason) const { throw Error(summary_, reason, copyAgain); }

 private:
  void transfer(char* bytes, std::size_t count, short direction, const Progress& progress) {
    while (count > 0) {
      progress.checkpoint();
      pollfd waiting{socket_, direction, 0};
      const int ready = ::poll(&waiting, 1, lookMilliseconds);
      if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
      const ssize_t moved = direction == POLLIN ? ::recv(socket_, bytes, count, MSG_DONTWAIT)
                                                : ::send(socket_, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (moved < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (moved <= 0) died();
      bytes += moved;
      count -= std::size_t(moved);
    }
  }

  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

  [[noreturn]] void died() {
    const int status = wait();
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGXCPU || signal == SIGKILL) damaged("the HDF5 library did not come to an end with it");
    damaged("the HDF5 library failed on it" + (signal ? std::string(" (") + strsignal(signal) + ")" : ""));
  }

  std::string summary_;
  int socket_ = -1;
  pid_t pid_ = -1;
};

AcquisitionFile::AcquisitionFile(const std::filesystem::path& file, const std::string& group,
                                 const Progress& progress)
    : child_(std::make_unique<Child>(file, group)) {
  const std::uintmax_t fileBytes = std::filesystem::file_size(file);
  for (;;) {
    const WorkerFrame frame = child_->next(progress);
    if (frame.kind == WorkerMessage::done) break;
    if (frame.kind == WorkerMessage::xml) {
      if (frame.bytes > fileBytes) child_->damaged("its header is longer than the file");
      xml_.resize(frame.bytes);
      child_->receive(xml_.data(), xml_.size(), progress);
    } else if (frame.kind == WorkerMessage::heads && frame.bytes % sizeof(AcquisitionHead) == 0) {
      const std::size_t known = heads_.size(), more = frame.bytes / sizeof(AcquisitionHead);
      if (known == 0)
        requireMemory(double(frame.position) * sizeof(AcquisitionHead), "Cannot read " + file.string(),
                      "the list of acquisitions", copyAgain);
      heads_.resize(known + more);
      child_->receive(heads_.data() + known, frame.bytes, progress);
      progress.report(double(heads_.size()) / double(frame.position), "Reading acquisition headers");
    } else {
      child_->damaged("the reading process sent an unknown message");
    }
  }
}

AcquisitionFile::~AcquisitionFile() = default;

void AcquisitionFile::read(AcquisitionMember member, const std::vector<std::int64_t>& wanted,
                           const std::string& what, const Progress& progress, const Use& use) {
  WorkerRequest request;
  request.member = std::uint32_t(member);
  request.count = wanted.size();
  child_->send(&request, sizeof request, progress);
  child_->send(wanted.data(), wanted.size() * sizeof(std::int64_t), progress);
  Buffer<float> values;
  for (std::size_t expected = 0;; ++expected) {
    const WorkerFrame frame = child_->next(progress);
    if (frame.kind == WorkerMessage::done && expected == wanted.size()) return;
    if (frame.kind != WorkerMessage::values || expected >= wanted.size() || frame.position != expected)
      child_->damaged("the reading process sent an unknown message");
    const std::int64_t floats = floatsOf(heads_[std::size_t(wanted[expected])], member);
    if (frame.bytes != std::size_t(floats) * sizeof(float))
      child_->damaged("acquisition " + std::to_string(wanted[expected]) +
                      " has another length than its header");
    values.resize(std::size_t(floats));
    child_->receive(values.data(), frame.bytes, progress);
    use(expected, values.data());
    progress.report(double(expected + 1) / double(wanted.size()), what);
  }
}

}  // namespace spokelab
