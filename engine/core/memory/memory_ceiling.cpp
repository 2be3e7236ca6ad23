#include "engine/core/memory/memory_ceiling.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/error.h"
#include "engine/core/stage_timer.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t arrayBytes = std::int64_t{128} << 20;  // far more than any cache holds
constexpr std::int64_t grain = std::int64_t{1} << 20;
constexpr int warmUps = 2, repeats = 15;

}  // namespace

MemoryCeiling ceilingFrom(std::vector<double> seconds, std::int64_t bytes, int threads) {
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  const double spread = (seconds[seconds.size() * 3 / 4] - seconds[seconds.size() / 4]) / median;
  return {double(bytes) / median, threads, bytes, int(seconds.size()), spread};
}

MemoryCeiling measureCopyCeiling(int threads, const Progress& progress) {
  std::vector<char> from, to;
  try {
    from.assign(std::size_t(arrayBytes), 1);
    to.assign(std::size_t(arrayBytes), 0);
  } catch (const std::bad_alloc&) {
    throw Error("Cannot measure the memory's bandwidth", "two arrays of 128 MB do not fit into memory",
                "Close what takes memory");
  }
  std::vector<double> times;
  for (int i = 0; i < warmUps + repeats; ++i) {
    progress.report(double(i) / (warmUps + repeats), "copying memory");
    const double start = now();
    parallelFor(arrayBytes, threads, grain, [&](std::int64_t begin, std::int64_t end) {
      std::memcpy(to.data() + begin, from.data() + begin, std::size_t(end - begin));
    });
    const double seconds = now() - start;
    from[std::size_t(i)] = char(to[std::size_t(i)] + 1);  // the copies are not all alike
    if (i >= warmUps) times.push_back(seconds);
  }
  return ceilingFrom(std::move(times), 2 * arrayBytes, threads > 0 ? threads : hardwareThreads());
}

}  // namespace spokelab
