#include "engine/profile/study/multicore/interleaved_runs.h"

#include <algorithm>

#include "engine/core/text.h"
#include "engine/profile/study/study_points.h"

namespace spokelab {
namespace {

struct DataSet {
  std::string pattern;
  int size;
  double acceleration;
};

void forSets(StudyRun& run, const std::vector<DataSet>& sets, const SeenCase& each) {
  run.cpu();
  run.steps(sets.size(), [&](std::size_t i, const Progress& progress) {
    each(interleavedCase(sets[i].pattern, sets[i].size, sets[i].acceleration), progress);
  });
}

void forEach(StudyRun& run, const std::function<std::vector<double>(int)>& accelerationsOf,
             const SeenCase& each) {
  const StudyRequest& q = run.request();
  std::vector<DataSet> sets;
  for (const std::string& pattern : q.patterns)
    for (const int size : q.sizes)
      for (const double r : q.accelerations.empty() ? accelerationsOf(size) : q.accelerations)
        sets.push_back({pattern, size, r});
  forSets(run, sets, each);
}

}  // namespace

std::vector<RaceRun> raceScheduled(const StudyRun& run, const ResamplingCase& c,
                                   const std::vector<ScheduledPlan>& plans, const Progress& progress) {
  std::vector<NufftOptions> options;
  for (const ScheduledPlan& p : plans) {
    options.push_back(optionsWith(c.problem, run.request().alphas.front(), p.width));
    options.back().threads = p.threads;
    options.back().scheduler = p.scheduler;
    options.back().precomputation = p.precomputation;
  }
  return racePlans(c.problem, c.points, options, roundsOf(run.request()), progress);
}

void forInterleaved(StudyRun& run, const SeenCase& each) {
  forEach(
      run, [](int size) { return std::vector{interleavedAcceleration(size)}; }, each);
}

void forAllInterleaved(StudyRun& run, const SeenCase& each) {
  forEach(run, interleavedAccelerations, each);
}

int mostThreads(const StudyRun& run) {
  const auto& threads = run.request().threads;
  return *std::max_element(threads.begin(), threads.end());
}

std::string interleavedText(const StudyCase& c) {
  return "N " + std::to_string(c.size) + ", R " + numberText(c.acceleration);
}

}  // namespace spokelab
