#include "engine/core/thread_pool.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#ifdef __SANITIZE_THREAD__
// oneTBB and Qt are not instrumented: what they do among themselves looks like races, and the hand-over of oneTBB's
// task objects too. What our bodies read and write is ordered by the Handover below, which the sanitizer sees.
extern "C" const char* __tsan_default_options() {
  return "ignore_noninstrumented_modules=1";
}
extern "C" const char* __tsan_default_suppressions() {
  return "race_top:tbb::detail\n";
}
#endif

namespace spokelab {

namespace {

// One arena for each limit asked for, kept for the life of the process: workers stay warm between calls.
tbb::task_arena& arenaFor(int threads) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<tbb::task_arena>> arenas;
  const std::lock_guard lock(mutex);
  std::unique_ptr<tbb::task_arena>& arena = arenas[threads];
  if (!arena) arena = std::make_unique<tbb::task_arena>(threads);
  return *arena;
}

// Orders the caller's writes before the workers' reads, and the workers' writes before the caller's return.
class Handover {
 public:
  void publish() { state_.fetch_add(1, std::memory_order_release); }
  void receive() const { (void)state_.load(std::memory_order_acquire); }

 private:
  std::atomic<int> state_{0};
};

// Runs worker() on up to `workers` threads at once; each worker takes work until there is none.
template <class Worker>
void runWorkers(std::int64_t workers, const Worker& worker) {
  Handover start, end;
  start.publish();
  arenaFor(static_cast<int>(workers)).execute([&] {
    // Isolated: a worker that waits in a nested call must not pick up another worker of an outer one.
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(
          std::int64_t{0}, workers,
          [&](std::int64_t) {
            start.receive();
            worker();
            end.publish();
          },
          tbb::static_partitioner{});
    });
  });
  end.receive();
}

// More threads than processors would only wait for each other.
int limit(int threads) {
  const int all = hardwareThreads();
  return threads <= 0 ? all : std::min(threads, all);
}

}  // namespace

int hardwareThreads() {
  static const int threads = std::max(1, tbb::info::default_concurrency());
  return threads;
}

int currentWorker() {
  return std::max(0, tbb::this_task_arena::current_thread_index());
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
  if (workers <= 1) {
    for (std::int64_t task = 0; task < n; ++task) body(task);
    return;
  }
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> failed{false};
  runWorkers(workers, [&] {
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
}

}  // namespace spokelab
