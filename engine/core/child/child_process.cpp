#include "engine/core/child/child_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <new>

#include "engine/core/child/child_launcher.h"
#include "engine/core/child/confine.h"
#include "engine/core/memory/machine_memory.h"
#include "engine/core/stage_timer.h"

namespace spokelab {
namespace {

constexpr std::size_t socketBlockBytes = 256u << 10;  // of one read or write of the socket
constexpr int cancelPollMilliseconds = 50;            // between two looks at the stop token
constexpr char textSeparator = '\x1f';                // between the three texts of an Error
struct SocketClosed {};

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

void say(int socket, const std::string& summary, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    sendError(socket, e.summary(), e.reason(), e.remedy());
  } catch (const std::bad_alloc&) {
    sendError(socket, summary, "there is not enough memory for it", "Use a machine with more memory");
  } catch (const std::exception& e) {
    sendError(socket, summary, e.what(), "Try again, and report it if it happens again");
  }
}

// Limits the memory before the child opens anything, when it has little.
void limitMemory(std::uint64_t bytes) {
  rlimit data{};
  if (bytes == 0 || getrlimit(RLIMIT_DATA, &data) != 0) return;
  data.rlim_cur = std::min<rlim_t>(bytes, data.rlim_cur);
  data.rlim_max = data.rlim_cur;
  setrlimit(RLIMIT_DATA, &data);
}

struct Start {
  ChildProcess::Work work = nullptr;
  void (*prepare)() = nullptr;
  std::uint64_t bytes = 0;  // of the arguments, which follow
};

void runChild(int socket, int shared) {
  try {
    Start start;
    ChildProcess::receiveBytes(socket, &start, sizeof start);
    std::vector<char> bytes(start.bytes);
    ChildProcess::receiveBytes(socket, bytes.data(), bytes.size());
    ChildArguments arguments(std::move(bytes));
    std::string summary, folder;
    rlimit fileSize{};
    arguments.take(summary);
    arguments.take(folder);
    arguments.take(fileSize);
    std::uint64_t memoryBytes = 0;
    arguments.take(memoryBytes);
    std::string readable;
    arguments.take(readable);
    std::error_code gone;
    std::filesystem::current_path(folder, gone);
    setrlimit(RLIMIT_FSIZE, &fileSize);
    limitMemory(memoryBytes);
    say(socket, summary, [&] {
      if (start.prepare) start.prepare();
      if (!readable.empty()) confineToReading(readable);
      start.work(arguments, socket, shared);
    });
  } catch (const SocketClosed&) {
    return;  // the parent wants no more
  }
}

}  // namespace

ChildLimits ChildLimits::ofReader(std::uint64_t cpuSeconds,
                                  [[maybe_unused]] const std::filesystem::path& file,
                                  [[maybe_unused]] ReadReach reach) {
  ChildLimits limits(cpuSeconds);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  constexpr std::int64_t minBytes = std::int64_t{256} << 20;
  limits.memoryBytes = std::uint64_t(std::max(minBytes, memoryBounds().left / 2));
  const std::filesystem::path whole = std::filesystem::weakly_canonical(file);
  limits.readable = (reach == ReadReach::file     ? whole
                     : reach == ReadReach::folder ? whole.parent_path()
                                                  : whole.root_path())
                        .string();
#endif
  return limits;
}

ChildProcess::ChildProcess(std::string summary, std::string remedy, const ChildLimits& limits, Work work,
                           const ChildArguments& arguments, int shared)
    : summary_(std::move(summary)), remedy_(std::move(remedy)) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(summary_, std::strerror(errno), "Close other programs and try again");
  pid_ = launchChild(runChild, limits.cpuSeconds, ends[1], shared);
  ::close(ends[1]);
  socket_ = ends[0];
  if (pid_ < 0) {
    ::close(socket_);
    throw Error(summary_, std::string("no process can be started: ") + std::strerror(-pid_),
                "Close other programs and try again");
  }
  // Folder and limits may have changed in this process since the launcher was made.
  ChildArguments head;
  head.put(summary_);
  std::error_code gone;
  head.put(std::filesystem::current_path(gone).string());
  rlimit fileSize{};
  getrlimit(RLIMIT_FSIZE, &fileSize);
  head.put(fileSize);
  head.put(limits.memoryBytes);
  head.put(limits.readable);
  const Start start{work, limits.prepare, head.bytes().size() + arguments.bytes().size()};
  try {
    sendBytes(socket_, &start, sizeof start);
    sendBytes(socket_, head.bytes().data(), head.bytes().size());
    sendBytes(socket_, arguments.bytes().data(), arguments.bytes().size());
  } catch (const SocketClosed&) {
    return;  // the child died at once: the first receive() says why
  }
}

ChildProcess::~ChildProcess() {
  ::close(socket_);
  if (pid_ > 0) endChild(pid_, true);
}

void ChildProcess::waitAtMost(double seconds) {
  waitUntil_ = seconds > 0 ? now() + seconds : 0;
}

void ChildProcess::send(const void* data, std::size_t bytes, const Progress& progress) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const std::size_t moved = transferSome(
        POLLOUT, [&] { return ::send(socket_, next, bytes, MSG_DONTWAIT | MSG_NOSIGNAL); }, progress);
    if (moved == 0) failWithItsWords(progress);
    next += moved;
    bytes -= moved;
  }
}

// The child has ended: its own Error, if it sent one, or why it died.
void ChildProcess::failWithItsWords(const Progress& progress) {
  for (;;) {
    const ChildFrame frame = next(progress);
    std::vector<char> unread(frame.bytes);
    receive(unread.data(), unread.size(), progress);
  }
}

void ChildProcess::receive(void* data, std::size_t bytes, const Progress& progress) {
  progress.checkpoint();
  char* next = static_cast<char*>(data);
  while (bytes > 0) {
    if (begin_ == end_) {
      received_.resize(socketBlockBytes);
      begin_ = end_ = 0;  // the transfer may throw
      end_ = transferSome(
          POLLIN, [&] { return ::recv(socket_, received_.data(), received_.size(), MSG_DONTWAIT); },
          progress);
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
  if (waiting_.size() >= socketBlockBytes) flush();
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

// Waits for the socket, then transfers once. 0: the child no longer listens.
template <class Transfer>
std::size_t ChildProcess::transferSome(short direction, const Transfer& transfer, const Progress& progress) {
  for (;;) {
    progress.checkpoint();
    if (waitUntil_ > 0 && now() > waitUntil_) throw ChildLate(summary_, "it did not answer in time", remedy_);
    pollfd waiting{socket_, direction, 0};
    const int ready = ::poll(&waiting, 1, cancelPollMilliseconds);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t moved = transfer();
    if (moved < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (moved <= 0 && direction == POLLOUT) return 0;
    if (moved <= 0) died();
    return std::size_t(moved);
  }
}

void ChildProcess::died() {
  const int status = endChild(pid_, false);
  pid_ = -1;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const std::string reason = signal == SIGXCPU || signal == SIGKILL
                                 ? "the library for its format did not come to an end with it"
                                 : "the library for its format failed on it" +
                                       (signal ? std::string(" (") + strsignal(signal) + ")" : std::string());
  throw ChildDied(summary_, reason, remedy_, signal);
}

}  // namespace spokelab
