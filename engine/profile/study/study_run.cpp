#include "engine/profile/study/study_run.h"

#include "engine/core/error.h"
#include "engine/core/stage_timer.h"
#include "engine/profile/study/study_quartiles.h"

namespace spokelab {

NufftBackend& StudyRun::cpu() const {
  if (NufftBackend* const found = backend("cpu")) return *found;
  throw Error("Cannot run the study \"" + request().study + "\"", "it is about the CPU, which takes no part",
              "Leave the backend open");
}

NufftBackend* StudyRun::backend(const std::string& name) const {
  for (NufftBackend* backend : backends_)
    if (backend->name() == name) return backend;
  return nullptr;
}

void StudyRun::add(StudyRow row) {
  if (ranks_ && !ranks_->isFirst()) return;
  if (!inCase_ && shard_.index != 1) return;  // of no case: the first shard has it
  row.timedOnce |= isTimedOnce(row.candidate);
  result_.places.push_back(place_);
  result_.rows.push_back(std::move(row));
  if (seen_) seen_(result_.rows.back(), result_.axes);
}

void StudyRun::steps(std::size_t count, const std::function<void(std::size_t, const Progress&)>& step,
                     std::size_t together) {
  result_.cases = (count + together - 1) / together;
  inCase_ = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (!shard_.owns(i / together)) continue;
    progress_.report(double(i) / double(count),
                     "step " + std::to_string(i + 1) + " of " + std::to_string(count));
    place_ = 1 + i / together;
    const double start = now();
    step(i, progress_.part(double(i) / double(count), double(i + 1) / double(count)));
    tellSpan("step " + std::to_string(i + 1), SpanKind::job, start, now());
  }
  inCase_ = false;
  place_ = 1 + result_.cases;
}

}  // namespace spokelab
