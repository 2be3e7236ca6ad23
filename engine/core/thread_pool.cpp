#include "engine/core/thread_pool.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "engine/core/memory/address_space.h"
#include "engine/core/stage_timer.h"

#ifdef __SANITIZE_THREAD__
#include <thread>
#include <vector>

// Qt's threads are not instrumented and look like races.
extern "C" const char* __tsan_default_options() {
  return "ignore_noninstrumented_modules=1";
}
#endif

namespace spokelab {

namespace {

thread_local PoolWork calls;     // of this thread
thread_local double waited = 0;  // by this thread, as a worker
thread_local int laneHere = 0;   // PoolLane

// Books a call; what calls inside it booked on this thread is part of it.
class BookedCall {
 public:
  BookedCall() : before_(calls), start_(now()) {}
  ~BookedCall() { calls = {before_.seconds + now() - start_, before_.worked + worked_.load()}; }
  BookedCall(const BookedCall&) = delete;
  BookedCall& operator=(const BookedCall&) = delete;

  template <class Work>
  void work(const Work& body) {
    const double start = now(), waitedBefore = waited;
    body();
    worked_.fetch_add(now() - start - (waited - waitedBefore), std::memory_order_relaxed);
  }

 private:
  PoolWork before_;
  double start_;
  std::atomic<double> worked_{0};
};

#ifdef __SANITIZE_THREAD__

// oneTBB is not instrumented: its hand-over of tasks, and its reused task memory, look like races.
// In this build work runs on plain threads, always the number asked for: more threads find more
// races.
thread_local int workerIndex = 0;

template <class Worker>
void runWorkers(std::int64_t workers, const Worker& worker) {
  std::exception_ptr failure;
  std::mutex mutex;
  const int outer = workerIndex;
  const auto run = [&](int index) {
    workerIndex = index;
    try {
      worker();
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < workers; ++i) threads.emplace_back(run, i);
  run(0);
  for (std::thread& thread : threads) thread.join();
  workerIndex = outer;
  if (failure) std::rethrow_exception(failure);
}

int limit(int threads) {
  return threads <= 0 ? hardwareThreads() : threads;
}

#else

// One arena for each limit asked for and lane, kept for the life of the process: workers stay warm
// between calls.
tbb::task_arena& arenaFor(int threads) {
  static std::mutex mutex;
  static std::map<std::pair<int, int>, std::unique_ptr<tbb::task_arena>> arenas;
  const std::lock_guard lock(mutex);
  std::unique_ptr<tbb::task_arena>& arena = arenas[{laneHere, threads}];
  if (!arena) arena = std::make_unique<tbb::task_arena>(threads);
  return *arena;
}

// Runs worker() on up to `workers` threads at once; each worker takes work until all is done.
template <class Worker>
void runWorkers(std::int64_t workers, const Worker& worker) {
  arenaFor(static_cast<int>(workers)).execute([&] {
    // Isolated: a worker that waits in a nested call must not pick up another worker of an outer
    // one.
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(
          std::int64_t{0}, workers, [&](std::int64_t) { worker(); }, tbb::static_partitioner{});
    });
  });
}

// More threads than processors would only wait for each other.
int limit(int threads) {
  const int all = hardwareThreads();
  return threads <= 0 ? all : std::min(threads, all);
}

#endif

}  // namespace

int hardwareThreads() {
  static const int threads = threadsThatFit(std::max(1, tbb::info::default_concurrency()));
  return threads;
}

PoolWork poolWork() {
  return calls;
}

PoolLane::PoolLane(int lane) : before_(std::exchange(laneHere, lane)) {
}

PoolLane::~PoolLane() {
  laneHere = before_;
}

PoolWait::PoolWait() : start_(now()) {
}

PoolWait::~PoolWait() {
  waited += now() - start_;
}

int currentWorker() {
#ifdef __SANITIZE_THREAD__
  return workerIndex;
#else
  return std::max(0, tbb::this_task_arena::current_thread_index());
#endif
}

void parallelFor(std::int64_t n, int threads, std::int64_t grain,
                 const std::function<void(std::int64_t begin, std::int64_t end)>& body) {
  if (n <= 0) return;
  const std::int64_t step = std::max<std::int64_t>(1, grain);
  const std::int64_t chunks = (n + step - 1) / step;
  parallelTasks(chunks, threads,
                [&](std::int64_t chunk) { body(chunk * step, std::min(n, (chunk + 1) * step)); });
}

void parallelTasks(std::int64_t n, int threads, const std::function<void(std::int64_t task)>& body) {
  if (n <= 0) return;
  const std::int64_t workers = std::min<std::int64_t>(n, limit(threads));
  BookedCall call;
  if (workers <= 1) {
    call.work([&] {
      for (std::int64_t task = 0; task < n; ++task) body(task);
    });
    return;
  }
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> failed{false};
  runWorkers(workers, [&] {
    call.work([&] {
      while (!failed.load(std::memory_order_relaxed)) {
        const std::int64_t task = next.fetch_add(1, std::memory_order_relaxed);
        if (task >= n) return;
        try {
          body(task);
        } catch (...) {
          failed.store(true, std::memory_order_relaxed);
          throw;
        }
      }
    });
  });
}

}  // namespace spokelab
