// SENSE whose coils, or whose transform's slabs, are divided over ranks: one sum over ranks for the
// right side, and one an iteration. On any space; included by the file of each machine.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/core/jobs/ranks.h"
#include "engine/recon/sense/sense_solver.h"
#include "engine/recon/sense/solve_sense.h"

namespace spokelab {

// Some maps of a set, in the memory of the whole set.
class PartOfMaps final : public BackendMaps {
 public:
  PartOfMaps(std::shared_ptr<const BackendMaps> allMaps, std::int64_t first, std::int64_t count)
      : allMaps_(std::move(allMaps)), first_(first), count_(count) {}
  const cfloat* data() const override { return allMaps_->data() + first_; }
  std::int64_t count() const override { return count_; }
  void downloadPart(cfloat* host, std::int64_t first, std::int64_t count) const override {
    allMaps_->downloadPart(host, first_ + first, count);
  }

 private:
  std::shared_ptr<const BackendMaps> allMaps_;
  std::int64_t first_, count_;
};

template <VectorSpace Space>
class RankSenseRun final : public SenseRun {
 public:
  // problem: of all coils, the same on each rank; share: the numbers of this rank's coils, which
  // follow each other, or all coils where `slabs` are divided. arguments: the space's. All ranks
  // run it at the same time, and rank 0 has the image.
  template <class... Arguments>
  RankSenseRun(TransformBackend& backend, const SenseProblem& problem, const std::vector<int>& share,
               const SlabShare& slabs, Ranks& ranks, Arguments... arguments)
      : space_(ranks, arguments...),
        backend_(backend),
        problem_(problem),
        share_(share),
        shareProblem_(transformPart(problem)) {
    shareProblem_.phases = problem.phases;
    shareProblem_.mapSets = problem.mapSets;
    shareProblem_.slabShare = slabs;
    if (slabs.ranks) space_.holdAllCoils();
    shareProblem_.batch = std::min(problem.batch, std::int64_t(share_.size()));
    takeMaps();
  }

  SenseSolution run(const IterationOptions& options, const IterationWatcher& watcher, bool newMaps,
                    const Progress& progress) override {
    space_.setProgress(progress);
    shareProblem_.coils.clear();
    for (const int c : share_) shareProblem_.coils.push_back(problem_.coils[std::size_t(c)]);
    shareProblem_.mixer = problem_.mixer;
    shareProblem_.placedPoints = problem_.placedPoints;
    shareProblem_.hostImage = problem_.hostImage;
    if (newMaps) takeMaps();
    return SenseSolver<Space>(space_, backend_, shareProblem_, options, watcher)
        .run(plan_, progress, newMaps);
  }

  const Space& space() const { return space_; }

 private:
  void takeMaps() {
    const std::int64_t pixels = product(problem_.matrix), coils = std::int64_t(problem_.coils.size());
    const std::int64_t count = std::int64_t(share_.size()) * pixels;
    const auto first = [&](std::int64_t set) { return (set * coils + share_.front()) * pixels; };
    shareProblem_.maps.clear();
    shareProblem_.backendMaps.reset();
    const bool inSpace = std::is_same_v<typename Space::Complex, cfloat> && problem_.mapSets == 1;
    if (problem_.backendMaps && inSpace) {
      shareProblem_.backendMaps = std::make_shared<PartOfMaps>(problem_.backendMaps, first(0), count);
      return;
    }
    shareProblem_.maps.resize(std::size_t(problem_.mapSets * count));
    for (std::int64_t set = 0; set < problem_.mapSets; ++set) {
      cfloat* const to = shareProblem_.maps.data() + set * count;
      if (problem_.backendMaps)
        problem_.backendMaps->downloadPart(to, first(set), count);
      else
        std::copy_n(problem_.maps.begin() + first(set), count, to);
    }
  }

  Space space_;
  TransformBackend& backend_;
  const SenseProblem& problem_;
  const std::vector<int> share_;
  SenseProblem shareProblem_;
  SensePlan<Space> plan_;
};

}  // namespace spokelab
