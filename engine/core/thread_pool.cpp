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

thread_local PoolWork bookedWork;       // of this thread's parallel calls since it began
thread_local double waitedSeconds = 0;  // of this thread inside PoolWait
thread_local int currentLane = 0;       // the number that PoolLane set; 0: the shared lane

// Measures a parallel call; nested calls of this thread are replaced, not added.
class BookedCall {
 public:
  BookedCall() : before_(bookedWork), start_(now()) {}
  ~BookedCall() { bookedWork = {before_.seconds + now() - start_, before_.worked + worked_.load()}; }
  BookedCall(const BookedCall&) = delete;
  BookedCall& operator=(const BookedCall&) = delete;

  template <class Work>
  void work(const Work& body) {
    const double start = now(), waitedBefore = waitedSeconds;
    body();
    worked_.fetch_add(now() - start - (waitedSeconds - waitedBefore), std::memory_order_relaxed);
  }

 private:
  PoolWork before_;
  double start_;
  std::atomic<double> worked_{0};  // seconds, of all threads of this call
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

// One arena, a set of workers, for each pair of a lane and a number of threads, kept for the life
// of the process: workers stay warm between calls. Lanes have separate arenas, so that a call of
// one lane does not wait for workers that another lane keeps busy.
tbb::task_arena& arenaFor(int threads) {
  static std::mutex mutex;
  static std::map<std::pair<int, int>, std::unique_ptr<tbb::task_arena>> arenas;
  const std::lock_guard lock(mutex);
  std::unique_ptr<tbb::task_arena>& arena = arenas[{currentLane, threads}];
  if (!arena) arena = std::make_unique<tbb::task_arena>(threads);
  return *arena;
}

// Runs worker() on up to `workers` threads at once; each worker takes work until all is done.
template <class Worker>
void runWorkers(std::int64_t workers, const Worker& worker) {
  arenaFor(static_cast<int>(workers)).execute([&] {
    // Isolated: a worker waiting in a nested call must not pick up an outer call's worker.
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
  return bookedWork;
}

PoolLane::PoolLane(int lane) : before_(std::exchange(currentLane, lane)) {
}

PoolLane::~PoolLane() {
  currentLane = before_;
}

PoolWait::PoolWait() : start_(now()) {
}

PoolWait::~PoolWait() {
  waitedSeconds += now() - start_;
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
