#include "engine/core/memory/address_space.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <future>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/core/memory/machine_memory.h"

namespace spokelab {
namespace {

// The lesser limit of addresses (ulimit -v) and of private pages (ulimit -d).
std::optional<std::int64_t> addressSpaceLimit() {
  std::optional<std::int64_t> least;
  for (const int resource : {RLIMIT_AS, RLIMIT_DATA})
    if (const auto bytes = resourceLimit(resource)) least = std::min(least.value_or(*bytes), *bytes);
  return least;
}

// Number of these threads that the system lets a process start (ulimit -u, a container's limit).
int startable(int threads) {
  std::vector<std::thread> started;
  std::promise<void> all;
  const std::shared_future<void> end = all.get_future();
  try {
    for (int i = 0; i < threads; ++i) started.emplace_back([end] { end.wait(); });
  } catch (const std::system_error&) {
    // no more
  }
  all.set_value();
  for (std::thread& thread : started) thread.join();
  return int(started.size());
}

}  // namespace

void shareArenaIfLimited() {
#ifdef M_ARENA_MAX
  if (!addressSpaceLimit()) return;
  mallopt(M_ARENA_MAX, 1);
  // Large arrays keep separate mappings, so that freeing one gives its addresses back.
  constexpr int mappedBytes = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, mappedBytes);
#endif
}

int threadsThatFit(int threads) {
  threads = 1 + startable(threads - 1);
  const auto limit = addressSpaceLimit();
  if (!limit) return threads;
  constexpr std::int64_t threadBytes = std::int64_t{16} << 20;  // a stack, and what is kept for a thread
  constexpr std::int64_t threadsShare = 8;                      // an eighth of the address space
  return int(std::clamp<std::int64_t>(*limit / threadsShare / threadBytes, 1, threads));
}

}  // namespace spokelab
