#include "engine/profile/study/study_run.h"

#include "engine/core/error.h"

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
  result_.rows.push_back(std::move(row));
  if (seen_) seen_(result_.rows.back(), result_.axes);
}

void StudyRun::steps(std::size_t count, const std::function<void(std::size_t, const Progress&)>& step) const {
  for (std::size_t i = 0; i < count; ++i) {
    progress_.checkpoint();
    step(i, progress_.part(double(i) / double(count), double(i + 1) / double(count)));
  }
}

}  // namespace spokelab
