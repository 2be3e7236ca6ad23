#include "engine/nufft/tune/fixed/estimate.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/points/shared_tile.h"
#include "engine/nufft/tune/candidates.h"

namespace spokelab {

bool allows(const TuneRequest& request, const std::string& backend, std::int64_t bytes) {
  const std::int64_t limit = request.options.memoryLimit;
  if (limit > 0 && bytes > limit) return false;
  if (kindOf(backend) == BackendKind::gpu) return true;
  return fits(double(bytes), request.options.reproducible);
}

bool mayShareTiles(const TuneRequest& request, const Candidate& c) {
  return kindOf(c.backend) == BackendKind::cpu && request.workload.direction != Direction::forward &&
         request.options.bins == Index3{0, 0, 0} && c.options.spread == Method::blocked &&
         c.options.scheduler.kind != Scheduler::graph && !isToeplitz(c.options.normal);
}

Index3 sharedTileOf(const TuneRequest& request, const Candidate& c) {
  const int threads =
      c.options.reproducible || c.options.threads > 0 ? workShares(c.options) : hardwareThreads();
  const auto tileFor = [&](int shares) {
    return sharedTile(request.problem.dims, c.grid, int(std::ceil(c.options.width)), shares);
  };
  const Index3 shared = tileFor(threads);
  return shared == tileFor(1) ? Index3{0, 0, 0} : shared;
}

void chooseByModel(std::span<NufftBackend* const> backends, const TuneRequest& request, TuneResult& result) {
  const std::int64_t points = std::int64_t(request.points.size()) / request.problem.dims;
  std::stable_sort(
      result.candidates.begin(), result.candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.predictedSeconds < b.predictedSeconds; });
  for (std::size_t i = 0; i < result.candidates.size() && result.best < 0; ++i) {
    Candidate& c = result.candidates[i];
    try {
      c.memory = backendNamed(backends, c.backend)->estimateMemory(request.problem, c.options, points);
    } catch (const Error& e) {
      c.refused = e.reason();
    }
    if (!allows(request, c.backend, c.memory))
      c.refused = "it takes " + bytesText(double(c.memory)) + ", more than the limit or this machine allows";
    if (!c.refused.empty()) continue;
    if (mayShareTiles(request, c)) c.options.bins = sharedTileOf(request, c);
    result.best = int(i);
  }
}

}  // namespace spokelab
