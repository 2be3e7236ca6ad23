#include "engine/core/child/child_launcher.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>

namespace spokelab {
namespace {

struct Request {
  ChildMain main = nullptr;  // null: `child` is to end
  std::uint64_t cpuSeconds = 0;
  pid_t child = 0;
  bool kill = false;
};
// The answer: a process number or -errno; or a status.

// A message with up to two open files. A function's address is good on both sides of the fork.
struct Message {
  Message(void* bytes, std::size_t count) : part{bytes, count} {
    head.msg_iov = &part;
    head.msg_iovlen = 1;
    head.msg_control = room.data();
  }
  iovec part;
  msghdr head{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> room{};
};

void sendRequest(int control, Request request, int socket, int shared) {
  Message message(&request, sizeof request);
  if (socket >= 0) {
    const int files[2] = {socket, shared};
    const std::size_t bytes = (shared >= 0 ? 2 : 1) * sizeof(int);
    message.head.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* rights = CMSG_FIRSTHDR(&message.head);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(bytes);
    std::memcpy(CMSG_DATA(rights), files, bytes);
  }
  while (::sendmsg(control, &message.head, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

bool receiveRequest(int control, Request& request, int (&files)[2]) {
  Message message(&request, sizeof request);
  message.head.msg_controllen = message.room.size();
  files[0] = files[1] = -1;
  ssize_t got = 0;
  while ((got = ::recvmsg(control, &message.head, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  if (got != ssize_t(sizeof request)) return false;
  const cmsghdr* rights = CMSG_FIRSTHDR(&message.head);
  if (rights && rights->cmsg_type == SCM_RIGHTS)
    std::memcpy(files, CMSG_DATA(rights), rights->cmsg_len - CMSG_LEN(0));
  return true;
}

void leadStandardFilesNowhere() {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return;  // without /dev/null the child only prints more
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, file);
  if (nowhere > STDERR_FILENO) ::close(nowhere);
}

// A crash or a loop ends the child, quietly.
void limitChild(std::uint64_t cpuSeconds) {
  prctl(PR_SET_DUMPABLE, 0);
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGTERM}) ::signal(s, SIG_DFL);
  ::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit fails instead
  const rlimit cpu{cpuSeconds, cpuSeconds + 1};
  setrlimit(RLIMIT_CPU, &cpu);
}

pid_t forkChild(const Request& request, int control, const int (&files)[2]) {
  const pid_t launcher = ::getpid(), child = ::fork();
  if (child < 0) return -errno;
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launcher) ::_exit(0);
  ::close(control);
  limitChild(request.cpuSeconds);
  request.main(files[0], files[1]);
  ::_exit(0);
}

[[noreturn]] void runLauncher(int end) {
  // Moved away from the numbers of the standard files, which are about to lead nowhere.
  const int control = ::fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (control < 0) ::_exit(1);
  ::signal(SIGINT, SIG_IGN);  // the program answers Ctrl-C
  leadStandardFilesNowhere();
  if (control > STDERR_FILENO + 1) ::close_range(STDERR_FILENO + 1, unsigned(control) - 1, 0);
  ::close_range(unsigned(control) + 1, ~0U, 0);
  for (;;) {
    Request request;
    int files[2];
    if (!receiveRequest(control, request, files)) ::_exit(0);  // the program has ended
    int answer = 0;
    if (request.main) {
      answer = forkChild(request, control, files);
      for (const int file : files)
        if (file >= 0) ::close(file);
    } else {
      if (request.kill) ::kill(request.child, SIGKILL);
      while (::waitpid(request.child, &answer, 0) < 0 && errno == EINTR) {
      }
    }
    while (::send(control, &answer, sizeof answer, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
  }
}

class Launcher {
 public:
  Launcher() {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
      error_ = errno;
      return;
    }
    process_ = ::fork();
    if (process_ == 0) {
      ::close(ends[0]);
      runLauncher(ends[1]);
    }
    if (process_ < 0) error_ = errno;
    ::close(ends[1]);
    control_ = ends[0];
  }
  ~Launcher() {
    if (control_ >= 0) ::close(control_);
    control_ = -1;
    while (process_ > 0 && ::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  // The launcher's answer, or -errno.
  int ask(const Request& request, int socket, int shared) {
    if (error_ != 0) return -error_;
    const std::lock_guard lock(mutex_);
    sendRequest(control_, request, socket, shared);
    int answer = 0;
    ssize_t got = 0;
    while ((got = ::recv(control_, &answer, sizeof answer, 0)) < 0 && errno == EINTR) {
    }
    return got == ssize_t(sizeof answer) ? answer : -EPIPE;
  }

 private:
  std::mutex mutex_;
  int control_ = -1, error_ = 0;
  pid_t process_ = -1;
};

Launcher& launcher() {
  static Launcher it;
  return it;
}

}  // namespace

void startChildLauncher() {
  launcher();
}

pid_t launchChild(ChildMain main, std::uint64_t cpuSeconds, int socket, int shared) {
  Request request;
  request.main = main;
  request.cpuSeconds = cpuSeconds;
  return launcher().ask(request, socket, shared);
}

int endChild(pid_t child, bool kill) {
  Request request;
  request.child = child;
  request.kill = kill;
  const int status = launcher().ask(request, -1, -1);
  return status < 0 ? 0 : status;
}

}  // namespace spokelab
