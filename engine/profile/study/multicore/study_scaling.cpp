#include "engine/profile/study/multicore/study_scaling.h"

#include <algorithm>

#include "engine/core/text.h"
#include "engine/profile/study/multicore/interleaved_runs.h"

namespace spokelab {
namespace {

constexpr double widths[] = {4, 8, 12, 16};
constexpr double million = 1e6;

std::string widthText(double width) {
  return "W " + numberText(width);
}

}  // namespace

void studyScaling(StudyRun& run) {
  forInterleaved(run, [&](const ResamplingCase& c, const Progress& progress) {
    const auto& threads = run.request().threads;
    const auto fewest = std::size_t(std::min_element(threads.begin(), threads.end()) - threads.begin());
    double part = 0;
    for (const double width : widths) {
      std::vector<ScheduledPlan> plans;
      plans.reserve(threads.size());
      for (const int t : threads) plans.push_back({widthText(width), {Scheduler::graph, 0, 0}, t, width});
      constexpr double share = 1.0 / std::size(widths);
      const auto runs = raceScheduled(run, c, plans, progress.part(part, part + share));
      part += share;
      for (const bool adjoint : {true, false})
        for (std::size_t i = 0; i < runs.size(); ++i) {
          StudyRow row =
              rowFor(c, plans[i].name + ", " + countText(plans[i].threads, "thread"), adjoint, runs[i]);
          const auto seconds = [&](std::size_t of) {
            return medianTimings(adjoint ? runs[of].adjoint : runs[of].forward).interpolation();
          };
          row.panel = c.c.pattern + ", " + interleavedText(c.c) + ", " + row.direction;
          row.series = plans[i].name;
          row.x = plans[i].threads;
          row.y = threads[fewest] * seconds(fewest) / seconds(i);
          run.add(std::move(row));
        }
    }
  });
}

void studyPreprocessing(StudyRun& run) {
  forInterleaved(run, [&](const ResamplingCase& c, const Progress& progress) {
    std::vector<ScheduledPlan> plans;
    for (const int t : run.request().threads)
      plans.push_back({countText(t, "thread"), {Scheduler::graph, 0, 0}, t});
    const auto runs = raceScheduled(run, c, plans, progress);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const double iteration = medianTimings(runs[i].forward).total + medianTimings(runs[i].adjoint).total;
      const auto add = [&](const std::string& what, const std::string& unit, double y) {
        StudyRow row = rowFor(c, what + ", " + plans[i].name, true, runs[i]);
        row.direction.clear();
        row.seconds = iteration;
        row.panel = c.c.pattern + ", " + interleavedText(c.c) + ", " + unit;
        row.series = what;
        row.x = plans[i].threads;
        row.y = y;
        row.timedOnce = what != "one iteration";  // points are set once
        run.add(std::move(row));
      };
      add("pre-processing", "seconds", runs[i].setPointsSeconds);
      add("one iteration", "seconds", iteration);
      add("ratio", "ratio", runs[i].setPointsSeconds / iteration);
    }
  });
}

void studyRates(StudyRun& run) {
  const int most = mostThreads(run);
  forInterleaved(run, [&](const ResamplingCase& c, const Progress& progress) {
    double part = 0;
    for (const double width : widths) {
      constexpr double share = 1.0 / std::size(widths);
      const RaceRun raced = raceScheduled(run, c, {{widthText(width), {Scheduler::graph, 0, 0}, most, width}},
                                          progress.part(part, part + share))
                                .front();
      part += share;
      for (const bool adjoint : {true, false}) {
        StudyRow row = rowFor(c, widthText(width), adjoint, raced);
        row.panel = row.direction + ", " + interleavedText(c.c) + ", " + countText(most, "thread");
        row.series = c.c.pattern;
        row.x = width;
        row.y = double(c.c.points) / row.candidate.timings.interpolation() / million;
        run.add(std::move(row));
      }
    }
  });
}

}  // namespace spokelab
