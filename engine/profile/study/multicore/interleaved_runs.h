// What the studies of multicore-nufft have in common: its data sets gone through one by one, and
// plans that differ in threads and scheduler. Inside the studies.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/profile/study/plan_race.h"
#include "engine/profile/study/study_problem.h"
#include "engine/profile/study/study_run.h"

namespace spokelab {

// Its oversampling, and twice its usual W, which is a radius.
inline constexpr double interleavedAlpha = 2, interleavedWidth = 8;

struct ScheduledPlan {
  std::string name;
  SchedulerChoice scheduler;
  int threads = 1;
  double width = interleavedWidth;
  Precomputation precomputation = Precomputation::polynomial;
};

// Every plan of one data set, in turns.
std::vector<RaceRun> raceScheduled(const StudyRun& run, const ResamplingCase& c,
                                   const std::vector<ScheduledPlan>& plans, const Progress& progress);

// For each pattern, size and acceleration; where no acceleration was asked for, that of the size.
// Throws Error where the CPU takes no part.
using SeenCase = std::function<void(const ResamplingCase&, const Progress&)>;
void forInterleaved(StudyRun& run, const SeenCase& each);
// The same over all data sets of Table I: some sizes have several accelerations.
void forAllInterleaved(StudyRun& run, const SeenCase& each);

int mostThreads(const StudyRun& run);
std::string interleavedText(const StudyCase& c);  // "N 256, R 1.333"

}  // namespace spokelab
