// The road that window and command line share: choose backends, tune across them, reconstruct on the winner.
#include "engine/recon/gridding.h"

namespace spokelab {
namespace {

constexpr double tuningShare = 0.4;  // of the progress bar

}  // namespace

Backend* backendNamed(const std::vector<Backend*>& backends, const std::string& name) {
  for (Backend* backend : backends)
    if (backend->name() == name) return backend;
  return nullptr;
}

std::vector<Backend*> backendsFor(const std::vector<Backend*>& backends, const std::string& asked) {
  if (backends.empty())
    throw Error("Cannot reconstruct", "there is no backend to run on", "Install the program again");
  if (asked == "auto") return backends;
  if (Backend* backend = backendNamed(backends, asked)) return {backend};
  std::string known;
  for (const Backend* backend : backends) known += (known.empty() ? "" : ", ") + backend->name();
  throw Error("Cannot use the backend " + asked, "it is not available here", "Use auto or one of: " + known);
}

Reconstruction reconstruct(const std::vector<Backend*>& backends, const Scan& scan,
                           const ReconOptions& options, Wisdom* wisdom, const Progress& progress,
                           const std::function<void(const Candidate&)>& seen) {
  const double start = now();
  const std::vector<Backend*> able = backendsFor(backends, options.backend);
  const bool given = options.nufft.alpha > 0 && options.nufft.width > 0;
  if (options.exact || (given && able.size() == 1))
    return able.front()->reconstruct(scan, options, nullptr, wisdom, progress);

  const ScanProblem problem = scanProblem(scan, options);
  const std::vector<NufftBackend*> candidates(able.begin(), able.end());
  std::shared_ptr<TuneResult> tuning;
  try {
    tuning = std::make_shared<TuneResult>(
        tune(candidates, tuneRequest(problem, options), wisdom, progress.part(0, tuningShare), seen));
  } catch (const Cancelled&) {
    tuning = std::make_shared<TuneResult>();
    tuning->cancelled = true;
  }
  const double tuningSeconds = now() - start;
  Reconstruction result;
  if (tuning->cancelled || progress.stopRequested()) {
    result.options = options;
    result.cancelled = true;
  } else {
    if (tuning->best < 0)
      throw Error("Cannot find a plan", "none of the candidates could run",
                  "Allow more memory or ask for less accuracy");
    const Candidate& best = tuning->candidates[std::size_t(tuning->best)];
    Backend* winner = backendNamed(able, best.backend);
    if (!winner)
      throw Error("Cannot use the plan", "its backend " + best.backend + " is not available", "Tune again");
    result = winner->reconstruct(scan, options, &best, wisdom, progress.part(tuningShare, 1));
  }
  result.tuning = std::move(tuning);
  result.tuningSeconds = tuningSeconds;
  result.seconds = now() - start;
  return result;
}

}  // namespace spokelab
