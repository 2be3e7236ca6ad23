#include "engine/nufft/tune/fixed/estimate.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidates.h"

namespace spokelab {

bool allows(const TuneRequest& request, const std::string& backend, std::int64_t bytes) {
  const std::int64_t limit = request.options.memoryLimit;
  if (limit > 0 && bytes > limit) return false;
  if (backend == "cuda") return true;
  return fits(double(bytes), request.options.reproducible);
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
    if (c.refused.empty()) result.best = int(i);
  }
}

}  // namespace spokelab
