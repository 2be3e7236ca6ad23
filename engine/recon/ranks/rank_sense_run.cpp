#include "engine/recon/ranks/rank_sense_run.h"

#include <algorithm>

#include "engine/recon/ranks/rank_space.h"
#include "engine/recon/sense/sense_solver.h"

namespace spokelab {
namespace {

template <class Real>
class RankSenseRun final : public SenseRun {
 public:
  RankSenseRun(Ranks& ranks, TransformBackend& backend, const SenseProblem& problem,
               const std::vector<int>& share)
      : space_(problem.nufft.threads, ranks),
        backend_(backend),
        whole_(problem),
        share_(share),
        own_(withoutCoils(problem)) {
    own_.phases = problem.phases;
    own_.mapSets = problem.mapSets;
    own_.batch = std::min(problem.batch, std::int64_t(share_.size()));
    takeMaps();
  }

  SenseSolution run(const IterationOptions& options, const IterationWatcher& watcher, bool newMaps,
                    const Progress& progress) override {
    space_.setProgress(progress);
    own_.coils.clear();
    for (const int c : share_) own_.coils.push_back(whole_.coils[std::size_t(c)]);
    if (newMaps) takeMaps();
    return SenseSolver<RankSpace<Real>>(space_, backend_, own_, options, watcher)
        .run(plan_, progress, newMaps);
  }

 private:
  // Of the own coils, in each set.
  void takeMaps() {
    const std::vector<cfloat> maps = hostMaps(whole_);
    const std::int64_t pixels = product(whole_.matrix), coils = std::int64_t(whole_.coils.size());
    own_.maps.clear();
    own_.backendMaps.reset();
    for (std::int64_t set = 0; set < whole_.mapSets; ++set) {
      const auto first = maps.begin() + (set * coils + share_.front()) * pixels;
      own_.maps.insert(own_.maps.end(), first, first + std::int64_t(share_.size()) * pixels);
    }
  }

  RankSpace<Real> space_;
  TransformBackend& backend_;
  const SenseProblem& whole_;
  const std::vector<int> share_;
  SenseProblem own_;
  SensePlan<RankSpace<Real>> plan_;
};

}  // namespace

std::unique_ptr<SenseRun> senseRunOnRanks(Ranks& ranks, TransformBackend& backend,
                                          const SenseProblem& problem, const std::vector<int>& share) {
  if (problem.precision == Precision::dbl)
    return std::make_unique<RankSenseRun<double>>(ranks, backend, problem, share);
  return std::make_unique<RankSenseRun<float>>(ranks, backend, problem, share);
}

}  // namespace spokelab
