#include "engine/scan/child_process.h"

#include <fcntl.h>
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
#include <new>

#include "engine/scan/hdf5_handle.h"

namespace spokelab {
namespace {

constexpr std::size_t bytesAtOnce = 256u << 10;  // of one read or write of the socket
constexpr int lookMilliseconds = 50;             // between two looks at the stop token
constexpr char textSeparator = '\x1f';           // between the three texts of an Error
struct SocketClosed {};

// A crash or a loop ends the child, quietly, and so does the end of its parent.
void limitChild(std::uint64_t cpuSeconds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGTERM}) signal(s, SIG_DFL);
  signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit fails instead
  signal(SIGINT, SIG_IGN);   // the parent answers Ctrl-C
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {  // what libraries print while they die is of no use
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  }
  const rlimit cpu{cpuSeconds, cpuSeconds + 1};
  setrlimit(RLIMIT_CPU, &cpu);
}

void sendBytes(int socket, const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = ::send(socket, next, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw SocketClosed{};
    next += sent;
    bytes -= std::size_t(sent);
  }
}

void sendError(int socket, const std::string& summary, const std::string& reason, const std::string& remedy) {
  const std::string text = summary + textSeparator + reason + textSeparator + remedy;
  FrameSender sender(socket);
  sender.send(ChildMessage::error, 0, text.data(), text.size());
  sender.flush();
}

void runChild(int socket, const std::string& summary, const std::function<void(int)>& work) {
  try {
    try {
      work(socket);
    } catch (const Error& e) {
      sendError(socket, e.summary(), e.reason(), e.remedy());
    } catch (const std::bad_alloc&) {
      sendError(socket, summary, "there is not enough memory for it", "Use a machine with more memory");
    } catch (const std::exception& e) {
      sendError(socket, summary, e.what(), "");
    }
  } catch (const SocketClosed&) {
    return;  // the parent has what it wanted
  }
}

}  // namespace

ChildProcess::ChildProcess(std::string summary, std::string remedy, std::uint64_t cpuSeconds,
                           const std::function<void(int)>& work)
    : summary_(std::move(summary)), remedy_(std::move(remedy)) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(summary_, std::strerror(errno), "Close other programs and try again");
  int code = 0;
  {
    const Hdf5Lock lock;  // no other thread is inside HDF5 while its state is copied; the child keeps it
    pid_ = ::fork();
    code = errno;
    if (pid_ == 0) {
      ::close(ends[0]);
      limitChild(cpuSeconds);
      runChild(ends[1], summary_, work);
      ::_exit(0);
    }
  }
  ::close(ends[1]);
  socket_ = ends[0];
  if (pid_ < 0) {
    ::close(socket_);
    throw Error(summary_, std::string("no process can be started: ") + std::strerror(code),
                "Close other programs and try again");
  }
}

ChildProcess::~ChildProcess() {
  ::close(socket_);
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    wait();
  }
}

void ChildProcess::send(const void* data, std::size_t bytes, const Progress& progress) {
  char* next = static_cast<char*>(const_cast<void*>(data));  // it is only read
  while (bytes > 0) {
    const std::size_t moved = transferSome(next, bytes, POLLOUT, progress);
    next += moved;
    bytes -= moved;
  }
}

void ChildProcess::receive(void* data, std::size_t bytes, const Progress& progress) {
  progress.checkpoint();
  char* next = static_cast<char*>(data);
  while (bytes > 0) {
    if (begin_ == end_) {
      received_.resize(bytesAtOnce);
      begin_ = 0;
      end_ = transferSome(received_.data(), received_.size(), POLLIN, progress);
    }
    const std::size_t part = std::min(bytes, end_ - begin_);
    std::memcpy(next, received_.data() + begin_, part);
    begin_ += part;
    next += part;
    bytes -= part;
  }
}

ChildFrame ChildProcess::next(const Progress& progress) {
  ChildFrame frame;
  receive(&frame, sizeof frame, progress);
  if (frame.kind != ChildMessage::error) return frame;
  std::string text(frame.bytes, '\0');
  receive(text.data(), text.size(), progress);
  const std::size_t first = text.find(textSeparator), second = text.find(textSeparator, first + 1);
  throw Error(text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1));
}

void FrameSender::send(ChildMessage kind, std::uint64_t position, const void* data, std::size_t bytes) {
  ChildFrame frame;
  frame.kind = kind;
  frame.position = position;
  frame.bytes = bytes;
  const char* head = reinterpret_cast<const char*>(&frame);
  const char* body = static_cast<const char*>(data);
  waiting_.insert(waiting_.end(), head, head + sizeof frame);
  if (bytes > 0) waiting_.insert(waiting_.end(), body, body + bytes);
  if (waiting_.size() >= bytesAtOnce) flush();
}

void FrameSender::flush() {
  sendBytes(socket_, waiting_.data(), waiting_.size());
  waiting_.clear();
}

void ChildProcess::receiveBytes(int socket, void* data, std::size_t bytes) {
  char* next = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = ::recv(socket, next, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw SocketClosed{};
    next += got;
    bytes -= std::size_t(got);
  }
}

std::size_t ChildProcess::transferSome(char* bytes, std::size_t count, short direction,
                                       const Progress& progress) {
  for (;;) {
    progress.checkpoint();
    pollfd waiting{socket_, direction, 0};
    const int ready = ::poll(&waiting, 1, lookMilliseconds);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t moved = direction == POLLIN ? ::recv(socket_, bytes, count, MSG_DONTWAIT)
                                              : ::send(socket_, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (moved < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (moved <= 0) died();
    return std::size_t(moved);
  }
}

int ChildProcess::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

void ChildProcess::died() {
  const int status = wait();
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU || signal == SIGKILL) fail("the HDF5 library did not come to an end with it");
  fail("the HDF5 library failed on it" + (signal ? std::string(" (") + strsignal(signal) + ")" : ""));
}

}  // namespace spokelab
