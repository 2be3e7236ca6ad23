#include "engine/profile/study/multicore/study_scheduler.h"

#include <algorithm>

#include "engine/core/text.h"
#include "engine/profile/study/multicore/interleaved_runs.h"

namespace spokelab {
namespace {

constexpr unsigned part(SchedulerPart p) {
  return static_cast<unsigned>(p);
}

// Spreading alone and the whole adjoint over threads, against the fastest of the entries on the
// fewest threads.
void overThreads(StudyRun& run, const std::vector<std::pair<std::string, unsigned>>& variants) {
  forInterleaved(run, [&](const ResamplingCase& c, const Progress& progress) {
    std::vector<ScheduledPlan> entries;
    const auto& threads = run.request().threads;
    for (const auto& [name, off] : variants)
      for (const int t : threads) entries.push_back({name, {Scheduler::graph, off, 0}, t});
    const auto runs = raceScheduled(run, c, entries, progress);
    const int fewest = *std::min_element(threads.begin(), threads.end());
    for (const bool whole : {false, true}) {
      const auto seconds = [&](std::size_t i) {
        const StageTimings t = medianTimings(runs[i].adjoint);
        return whole ? t.total : t[Stage::spread];
      };
      double alone = 0;
      for (std::size_t i = 0; i < runs.size(); ++i)
        if (entries[i].threads == fewest && (alone == 0 || seconds(i) < alone)) alone = seconds(i);
      for (std::size_t i = 0; i < runs.size(); ++i) {
        StudyRow row =
            rowFor(c, entries[i].name + ", " + countText(entries[i].threads, "thread"), true, runs[i]);
        row.panel = c.c.pattern + (whole ? ", adjoint, " : ", spreading, ") + interleavedText(c.c);
        row.series = entries[i].name;
        row.x = entries[i].threads;
        row.y = fewest * alone / seconds(i);
        run.add(std::move(row));
      }
    }
  });
}

}  // namespace

void studyGains(StudyRun& run) {
  const int most = mostThreads(run);
  unsigned off = allSchedulerParts;
  std::vector<ScheduledPlan> entries = {{"one thread", {Scheduler::graph, off, 0}, 1}};
  off &= ~part(SchedulerPart::reorder);
  entries.push_back({"+ reorder", {Scheduler::graph, off, 0}, 1});
  entries.push_back({"+ threads", {Scheduler::graph, off, 0}, most});
  const std::pair<const char*, SchedulerPart> more[] = {{"+ variable", SchedulerPart::variable},
                                                        {"+ graph", SchedulerPart::graph},
                                                        {"+ queue", SchedulerPart::queue},
                                                        {"+ private", SchedulerPart::copies}};
  for (const auto& [name, added] : more) {
    off &= ~part(added);
    entries.push_back({name, {Scheduler::graph, off, 0}, most});
  }
  entries.push_back({"tiles instead", {Scheduler::tiles, 0, 0}, most});
  std::vector<std::string> names;
  for (const ScheduledPlan& e : entries) names.push_back(e.name);
  run.setCategories(names);
  forInterleaved(run, [&](const ResamplingCase& c, const Progress& progress) {
    const auto runs = raceScheduled(run, c, entries, progress);
    for (const bool whole : {false, true}) {
      const auto seconds = [&](const RaceRun& raced) {
        const StageTimings t = medianTimings(raced.adjoint);
        return whole ? t.total : t[Stage::spread];
      };
      for (std::size_t i = 0; i < runs.size(); ++i) {
        StudyRow row = rowFor(c, entries[i].name, true, runs[i]);
        row.panel =
            (whole ? "adjoint, " : "spreading, ") + interleavedText(c.c) + ", " + countText(most, "thread");
        row.series = c.c.pattern;
        row.x = double(i);
        row.y = seconds(runs.front()) / seconds(runs[i]);
        run.add(std::move(row));
      }
    }
  });
}

void studyPartitions(StudyRun& run) {
  overThreads(run, {{"fixed", part(SchedulerPart::variable)}, {"variable", 0}});
}

void studyPrivatisation(StudyRun& run) {
  const unsigned queue = part(SchedulerPart::queue), copies = part(SchedulerPart::copies);
  overThreads(run, {{"neither", queue | copies}, {"private copies", queue}, {"private copies and queue", 0}});
}

}  // namespace spokelab
