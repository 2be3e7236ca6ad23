// The time of a thread, without the time in which it was ready and waited for a processor: a bound
// on it holds on a busy machine, too.
#pragma once

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

namespace spokelab {

inline double clockMs(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

// Milliseconds that this thread was ready and waited for a processor; negative where the system
// does not tell.
inline double waitedMs() {
  std::ifstream file("/proc/thread-self/schedstat");
  double running = 0, waiting = 0;
  return file >> running >> waiting ? waiting * 1e-6 : -1;
}

// Threads that want to run, for each processor; 0 if the system does not tell.
inline double loadPerProcessor() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load / double(std::thread::hardware_concurrency()) : 0;
}

// More threads want to run than there are processors: an event then also waits for its turn.
inline bool loadedMachine() {
  return loadPerProcessor() > 1;
}

class ThreadTime {
 public:
  // Milliseconds since this was made; by the wall where the system does not tell how long the
  // thread waited.
  double ms() const {
    const double wall = clockMs(CLOCK_MONOTONIC) - wall_;
    return waited_ < 0 ? wall : wall - (waitedMs() - waited_);
  }

 private:
  double wall_ = clockMs(CLOCK_MONOTONIC), waited_ = waitedMs();
};

}  // namespace spokelab
