// What a study is made of, inside the engine: a definition in study.cpp and a function in one of the study_*.cpp.
#pragma once

#include "engine/profile/study/study.h"

namespace spokelab {

// A study that is running: what is asked, and where its rows go.
class StudyRun {
 public:
  StudyRun(std::span<NufftBackend* const> backends, StudyResult& result, const Progress& progress,
           const StudySeen& seen)
      : backends_(backends), result_(result), progress_(progress), seen_(seen) {}

  const StudyRequest& request() const { return result_.request; }
  std::span<NufftBackend* const> backends() const { return backends_; }
  NufftBackend& cpu() const;  // throws Error where the CPU takes no part
  void setCategories(std::vector<std::string> names) { result_.axes.categories = std::move(names); }
  void add(StudyRow row);

  // One after the other; each step reports within its share. Throws Cancelled between two.
  void steps(std::size_t count, const std::function<void(std::size_t, const Progress&)>& step) const;

 private:
  std::span<NufftBackend* const> backends_;
  StudyResult& result_;
  const Progress& progress_;
  const StudySeen& seen_;
};

struct StudyDefinition {
  StudyInfo info;
  StudyAxes axes;
  std::function<void(StudyRun&)> run;
  StudyRequest paper;  // what it used
};

// study_tuned.cpp: implementations tuned, each on its own.
void studyAlpha(StudyRun&);
void studyBestAlpha(StudyRun&);
void studyFixedAlpha(StudyRun&);
void studyImplementations(StudyRun&);
void studySpreading(StudyRun&);
void studyInterpolation(StudyRun&);
// study_error.cpp: errors over the kernel's width.
void studyWindowError(StudyRun&);
void studyAliasing(StudyRun&);
// study_resampling.cpp: block sizes and precomputations.
void studyBlocks(StudyRun&);
void studySingleThread(StudyRun&);
void studyThreads(StudyRun&);
// study_scheduler.cpp: the task graph and its parts.
void studySequentialStages(StudyRun&);
void studyParallelStages(StudyRun&);
void studyGains(StudyRun&);
void studyPartitions(StudyRun&);
void studyPrivatisation(StudyRun&);
// study_rows.cpp: the rows of the sparse matrices.
void studyRowLengths(StudyRun&);
void studyRowDeviations(StudyRun&);

}  // namespace spokelab
