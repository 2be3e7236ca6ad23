// Shared by the studies of multicore-nufft: a loop over its data sets, and plans that differ in
// threads and scheduler. "Interleaved" in a name means these data sets (interleavedCase in
// study_problem.h). Internal to the studies.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/profile/study/plan_race.h"
#include "engine/profile/study/study_problem.h"
#include "engine/profile/study/study_run.h"

namespace spokelab {

// The kernel's full width in cells: twice multicore-nufft's usual radius.
inline constexpr double interleavedWidth = 8;

// A plan to race. Its oversampling ratio is the first one of the request.
struct ScheduledPlan {
  std::string name;
  SchedulerChoice scheduler;
  int threads = 1;
  double width = interleavedWidth;
  Precomputation precomputation = Precomputation::polynomial;
};

std::vector<RaceRun> raceScheduled(const StudyRun& run, const ResamplingCase& c,
                                   const std::vector<ScheduledPlan>& plans, const Progress& progress);

// Called for each pattern, size and acceleration. Throws Error if the CPU takes no part.
using SeenCase = std::function<void(const ResamplingCase&, const Progress&)>;
void forInterleaved(StudyRun& run, const SeenCase& each);
// The same over all data sets of Table I: some sizes have several accelerations.
void forAllInterleaved(StudyRun& run, const SeenCase& each);

// The largest of the numbers of threads that the request compares.
int mostThreads(const StudyRun& run);
std::string interleavedText(const StudyCase& c);  // "N 256, R 1.333"

}  // namespace spokelab
