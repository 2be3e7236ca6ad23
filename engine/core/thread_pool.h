// All parallel work of the engine runs here, on oneTBB; FFTW is routed here too (fft.cpp).
#pragma once

#include <cstdint>
#include <functional>

namespace spokelab {

// Number of threads that `threads <= 0` ("all") means on this machine: the CPUs this process may
// use.
int hardwareThreads();

// Calls body(begin, end) over [0, n) in chunks of `grain` (the last may be shorter), on at most
// `threads` threads; 0 or less: all. With one thread it runs in the caller, in order. An exception
// (Error, Cancelled) ends the loop and reaches the caller.
void parallelFor(std::int64_t n, int threads, std::int64_t grain,
                 const std::function<void(std::int64_t begin, std::int64_t end)>& body);

// Calls body(task) for each task in [0, n), one at a time per thread, dynamically balanced.
void parallelTasks(std::int64_t n, int threads, const std::function<void(std::int64_t task)>& body);

// The time of this thread's parallel calls since it began: `seconds` is their duration, `worked`
// the work of all threads together. A call on T threads lost T * seconds - worked to threads that
// began late, waited or had nothing left.
struct PoolWork {
  double seconds = 0, worked = 0;
};
PoolWork poolWork();

// A worker waits for another one between construction and destruction: that is not work.
class PoolWait {
 public:
  PoolWait();
  ~PoolWait();
  PoolWait(const PoolWait&) = delete;
  PoolWait& operator=(const PoolWait&) = delete;

 private:
  double start_;
};

// Gives this thread's parallel calls separate workers during its lifetime. Calls of threads without
// a lane share workers, and wait for each other. For threads that drive a device each; lanes nest.
class PoolLane {
 public:
  explicit PoolLane(int lane);  // 0: the shared one
  ~PoolLane();
  PoolLane(const PoolLane&) = delete;
  PoolLane& operator=(const PoolLane&) = delete;

 private:
  int before_;
};

// The index of the thread within its parallel call, from 0; outside of a call 0.
int currentWorker();

}  // namespace spokelab
