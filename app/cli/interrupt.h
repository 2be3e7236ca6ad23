// Ctrl-C and SIGTERM as a stop request: the handler only writes a byte to a pipe, a thread turns
// that into request_stop(). The first signal cancels cleanly; a second one ends the program at
// once. After SIGTERM, which shutdowns and batch systems send, the program also ends if the cancel
// takes longer than two seconds.
#pragma once

#include <stop_token>
#include <thread>

#include <csignal>

namespace spokelab::cli {

// A process has one at a time. The destructor restores the signals' earlier handlers.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  void stop() { source_.request_stop(); }  // as a signal does
  int signal() const;                      // SIGINT, SIGTERM, or 0: none came

 private:
  void endIfStillRunning() const;

  std::stop_source source_;
  int pipe_[2] = {-1, -1};
  struct sigaction earlierInterrupt_ {};
  struct sigaction earlierTerminate_ {};
  std::thread watcher_;
};

}  // namespace spokelab::cli
