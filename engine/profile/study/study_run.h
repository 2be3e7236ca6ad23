// Argument of the studies' functions: the request, and the sink for rows. Internal to the engine.
#pragma once

#include "engine/profile/study/study.h"

namespace spokelab {

// A study that is running: what is asked, and where its rows go.
class StudyRun {
 public:
  StudyRun(std::span<NufftBackend* const> backends, StudyResult& result, const Shard& shard,
           const Progress& progress, const StudySeen& seen, Ranks* ranks = nullptr)
      : backends_(backends),
        result_(result),
        shard_(shard),
        progress_(progress),
        seen_(seen),
        ranks_(ranks) {}

  const StudyRequest& request() const { return result_.request; }
  std::span<NufftBackend* const> backends() const { return backends_; }
  NufftBackend& cpu() const;                             // throws Error where the CPU takes no part
  NufftBackend* backend(const std::string& name) const;  // null where it takes no part
  Ranks* ranks() const { return ranks_; }                // processes that run the study together; null: none
  const Progress& progress() const { return progress_; }
  void setCategories(std::vector<std::string> names) { result_.axes.categories = std::move(names); }
  void add(StudyRow row);

  // Runs steps in turn; each step reports within its share. Throws Cancelled between two steps. A
  // study calls it once. `together`: this number of successive steps is one case, kept in one
  // shard, because its rows follow from all of them.
  void steps(std::size_t count, const std::function<void(std::size_t, const Progress&)>& step,
             std::size_t together = 1);

 private:
  std::span<NufftBackend* const> backends_;
  StudyResult& result_;
  const Shard shard_;
  bool inCase_ = false;    // a step is running
  std::size_t place_ = 0;  // StudyResult::places of the next row
  const Progress& progress_;
  const StudySeen& seen_;
  Ranks* const ranks_;
};

}  // namespace spokelab
