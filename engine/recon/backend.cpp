#include "engine/recon/backend.h"

#include "engine/core/error.h"

namespace spokelab {
namespace {

// Solves each as if it were the only one.
class SeparateRuns final : public SenseRun {
 public:
  SeparateRuns(Backend& backend, const SenseProblem& problem) : backend_(backend), problem_(problem) {}
  SenseSolution run(const IterationOptions& options, const IterationWatcher& watcher, bool,
                    const Progress& progress) override {
    return backend_.solveSense(problem_, options, watcher, progress);
  }

 private:
  Backend& backend_;
  const SenseProblem& problem_;
};

}  // namespace

std::unique_ptr<SenseRun> Backend::senseRun(const SenseProblem& problem) {
  return std::make_unique<SeparateRuns>(*this, problem);
}

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

}  // namespace spokelab
