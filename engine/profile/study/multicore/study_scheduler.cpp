#include "engine/profile/study/multicore/study_scheduler.h"

#include <algorithm>

#include "engine/core/simd/cpu_features.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/profile/study/multicore/interleaved_runs.h"
#include "engine/profile/study/multicore/plain_run.h"

namespace spokelab {
namespace {

// More than a grid of the studies has room for: partitions are then as narrow as a kernel allows.
constexpr int manyPartitions = 1024;

constexpr unsigned part(SchedulerPart p) {
  return static_cast<unsigned>(p);
}

// Spreading and the whole adjoint over threads, against the fastest on the fewest threads.
struct Variant {
  std::string name;
  unsigned off = 0;    // SchedulerParts
  int partitions = 0;  // a dimension; 0: by the number of threads
};
void overThreads(StudyRun& run, const std::vector<Variant>& variants) {
  forInterleaved(run, [&](const ResamplingCase& c, const Progress& progress) {
    std::vector<ScheduledPlan> entries;
    const auto& threads = run.request().threads;
    for (const auto& [name, off, partitions] : variants)
      for (const int t : threads) entries.push_back({name, {Scheduler::graph, off, partitions}, t});
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
  const int most = mostThreads(run), cores = std::min(most, processorCores());
  unsigned off = allSchedulerParts & ~part(SchedulerPart::reorder);
  std::vector<ScheduledPlan> entries = {{"+ vectors", {Scheduler::graph, off, 0}, 1},
                                        {"+ threads", {Scheduler::graph, off, 0}, cores}};
  const std::pair<const char*, SchedulerPart> more[] = {{"+ variable", SchedulerPart::variable},
                                                        {"+ graph", SchedulerPart::graph},
                                                        {"+ queue", SchedulerPart::queue},
                                                        {"+ private", SchedulerPart::copies}};
  for (const auto& [name, added] : more) {
    off &= ~part(added);
    entries.push_back({name, {Scheduler::graph, off, 0}, cores});
  }
  if (most > cores) entries.push_back({"+ SMT", {Scheduler::graph, 0, 0}, most});
  entries.push_back({"tiles instead", {Scheduler::tiles, 0, 0}, most});
  std::vector<std::string> names{"base", "+ reorder"};
  for (const ScheduledPlan& e : entries) names.push_back(e.name);
  run.setCategories(names);
  if (most == cores) {
    StudyRow none = refusedRow("cpu", "+ SMT");
    none.refused = "there are not more threads than cores";
    run.add(std::move(none));
  }
  forInterleaved(run, [&](const ResamplingCase& c, const Progress& progress) {
    constexpr double plainShare = 0.5;  // of the time: it has one thread
    const Index3 grid = gridSize(c.problem, run.request().alphas.front(), interleavedWidth);
    std::vector<RaceRun> runs;
    runs.push_back(racePlain(run, c, c.points, interleavedWidth, progress.part(0, plainShare / 2)).raced);
    runs.push_back(
        racePlain(run, c, reordered(c, grid), interleavedWidth, progress.part(plainShare / 2, plainShare))
            .raced);
    for (RaceRun& raced : raceScheduled(run, c, entries, progress.part(plainShare, 1)))
      runs.push_back(std::move(raced));
    for (const bool whole : {false, true}) {
      const auto seconds = [&](const RaceRun& raced) {
        const StageTimings t = medianTimings(raced.adjoint);
        return whole ? t.total : t.interpolation();
      };
      for (std::size_t i = 0; i < runs.size(); ++i) {
        StudyRow row = rowFor(c, names[i], true, runs[i]);
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
  const unsigned fixed = part(SchedulerPart::variable);
  overThreads(run, {{"fixed", fixed}, {"fixed, many", fixed, manyPartitions}, {"variable", 0}});
}

void studyPrivatisation(StudyRun& run) {
  const unsigned queue = part(SchedulerPart::queue), copies = part(SchedulerPart::copies);
  overThreads(run, {{"neither", queue | copies}, {"private copies", queue}, {"private copies and queue", 0}});
}

}  // namespace spokelab
