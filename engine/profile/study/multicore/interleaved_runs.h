// Shared by the studies of multicore-nufft: a loop over its data sets, and plans that differ in
// threads and scheduler. Internal to the studies.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/profile/study/plan_race.h"
#include "engine/profile/study/study_problem.h"
#include "engine/profile/study/study_run.h"

namespace spokelab {

// Twice its usual W, which is a radius.
inline constexpr double interleavedWidth = 8;

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

// Called for each pattern, size and acceleration (default: the size's acceleration). Throws Error
// if the CPU takes no part.
using SeenCase = std::function<void(const ResamplingCase&, const Progress&)>;
void forInterleaved(StudyRun& run, const SeenCase& each);
// The same over all data sets of Table I: some sizes have several accelerations.
void forAllInterleaved(StudyRun& run, const SeenCase& each);

int mostThreads(const StudyRun& run);
std::string interleavedText(const StudyCase& c);  // "N 256, R 1.333"

}  // namespace spokelab
