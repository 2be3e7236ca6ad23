#include "app/cli/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace spokelab::cli {
namespace {

std::atomic<int> received{0};
std::atomic<int> writeEnd{-1};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

void onSignal(int number) {
  const int savedErrno = errno;
  received = number;
  const char byte = 1;
  // The pipe is empty: at most one byte for each of two signals. A failure needs nothing here.
  [[maybe_unused]] const auto written = write(writeEnd, &byte, 1);
  errno = savedErrno;
}

// Between a stop request and the end of a program that cannot follow it: a call into FFTW, memory
// that the system clears, a loop of ours that does not ask.
constexpr int patienceMilliseconds = 1700;

}  // namespace

void Interrupt::endIfStillRunning() const {
  pollfd end{pipe_[0], 0, 0};  // POLLHUP: the destructor has closed the other end
  int left = patienceMilliseconds;
  while (left > 0) {
    constexpr int step = 50;  // a second byte may lie in the pipe
    if (poll(&end, 1, step) > 0) return;
    left -= step;
  }
  // Ends the process as a second signal does; children notice the parent's end.
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGTERM, &action, nullptr);
  kill(getpid(), SIGTERM);
}

Interrupt::Interrupt() {
  received = 0;
  if (pipe2(pipe_, O_CLOEXEC) != 0) return;  // no descriptors left: signals keep their default
  writeEnd = pipe_[1];
  watcher_ = std::thread([this] {
    char byte = 0;
    ssize_t got = 0;
    do got = read(pipe_[0], &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got != 1 || byte != 1) return;
    source_.request_stop();
    if (received == SIGTERM) endIfStillRunning();
  });
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &earlierInterrupt_);
  sigaction(SIGTERM, &action, &earlierTerminate_);
}

Interrupt::~Interrupt() {
  if (pipe_[0] < 0) return;
  sigaction(SIGINT, &earlierInterrupt_, nullptr);
  sigaction(SIGTERM, &earlierTerminate_, nullptr);
  writeEnd = -1;
  close(pipe_[1]);  // the watcher reads the end of the pipe and leaves
  watcher_.join();
  close(pipe_[0]);
}

int Interrupt::signal() const {
  return received;
}

}  // namespace spokelab::cli
