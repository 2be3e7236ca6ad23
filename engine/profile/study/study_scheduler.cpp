#include "engine/profile/study/study_scheduler.h"

#include <algorithm>

#include "engine/core/text.h"
#include "engine/profile/study/study_points.h"
#include "engine/profile/study/study_problem.h"

namespace spokelab {
namespace {

constexpr double width = 8, alpha = 2;

constexpr unsigned part(SchedulerPart p) {
  return static_cast<unsigned>(p);
}

// A scheduler on so many threads, under a name.
struct Entry {
  std::string name;
  SchedulerChoice scheduler;
  int threads = 1;
};

std::vector<RaceRun> raceOf(const StudyRun& run, const ResamplingCase& c, const std::vector<Entry>& entries,
                            Precomputation precomputation, const Progress& progress) {
  std::vector<NufftOptions> plans;
  for (const Entry& e : entries) {
    plans.push_back(optionsWith(c.problem, alpha, width));
    plans.back().threads = e.threads;
    plans.back().scheduler = e.scheduler;
    plans.back().precomputation = precomputation;
  }
  return racePlans(c.problem, c.points, plans, roundsOf(run.request()), progress);
}

void forCases(StudyRun& run, const std::function<void(const ResamplingCase&, const Progress&)>& each) {
  run.cpu();
  const StudyRequest& q = run.request();
  const std::size_t sizes = q.sizes.size(), rs = std::max<std::size_t>(1, q.accelerations.size());
  run.steps(sizes * rs * q.patterns.size(), [&](std::size_t i, const Progress& progress) {
    const int n = q.sizes[i / rs % sizes];
    const double r = q.accelerations.empty() ? interleavedAcceleration(n) : q.accelerations[i % rs];
    each(interleavedCase(q.patterns[i / (sizes * rs)], n, r), progress);
  });
}

std::string caseText(const StudyCase& c) {
  return "N " + std::to_string(c.size) + ", R " + numberText(c.acceleration);
}

// Shares of the stages, one line a stage, one place a pattern.
void stages(StudyRun& run, const Entry& entry, Precomputation precomputation) {
  const auto& patterns = run.request().patterns;
  run.setCategories(patterns);
  forCases(run, [&](const ResamplingCase& c, const Progress& progress) {
    const RaceRun raced = raceOf(run, c, {entry}, precomputation, progress).front();
    for (const bool adjoint : {false, true}) {
      const StudyRow whole = rowFor(c, entry.name, adjoint, raced);
      const StageTimings& t = whole.candidate.timings;
      const auto add = [&](std::string_view stage, double seconds) {
        if (seconds <= 0) return;
        StudyRow row = whole;
        row.panel = row.direction + ", " + caseText(c.c);
        row.series = stage;
        row.x = double(std::find(patterns.begin(), patterns.end(), c.c.pattern) - patterns.begin());
        row.y = 100 * seconds / t.total;
        run.add(std::move(row));
      };
      for (std::size_t s = 0; s < std::size_t(stageCount); ++s) add(stageNames[s], t.seconds[s]);
      add("not accounted for", t.unaccounted());
    }
  });
}

// Spreading alone and the whole adjoint over threads, against the fastest of the entries on the
// fewest threads.
void overThreads(StudyRun& run, const std::vector<std::pair<std::string, unsigned>>& variants) {
  forCases(run, [&](const ResamplingCase& c, const Progress& progress) {
    std::vector<Entry> entries;
    const auto& threads = run.request().threads;
    for (const auto& [name, off] : variants)
      for (const int t : threads) entries.push_back({name, {Scheduler::graph, off, 0}, t});
    const auto runs = raceOf(run, c, entries, Precomputation::polynomial, progress);
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
        row.panel = c.c.pattern + (whole ? ", adjoint, " : ", spreading, ") + caseText(c.c);
        row.series = entries[i].name;
        row.x = entries[i].threads;
        row.y = fewest * alone / seconds(i);
        run.add(std::move(row));
      }
    }
  });
}

}  // namespace

void studySequentialStages(StudyRun& run) {
  stages(run, {"sequential", {Scheduler::graph, allSchedulerParts, 1}, 1}, Precomputation::none);
}

void studyParallelStages(StudyRun& run) {
  const auto& threads = run.request().threads;
  const int most = *std::max_element(threads.begin(), threads.end());
  stages(run, {countText(most, "thread"), {Scheduler::graph, 0, 0}, most}, Precomputation::polynomial);
}

void studyGains(StudyRun& run) {
  const auto& threads = run.request().threads;
  const int most = *std::max_element(threads.begin(), threads.end());
  unsigned off = allSchedulerParts;
  std::vector<Entry> entries = {{"one thread", {Scheduler::graph, off, 0}, 1}};
  off &= ~part(SchedulerPart::reorder);
  entries.push_back({"+ reorder", {Scheduler::graph, off, 0}, 1});
  entries.push_back({"+ " + countText(most, "thread"), {Scheduler::graph, off, 0}, most});
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
  for (const Entry& e : entries) names.push_back(e.name);
  run.setCategories(names);
  forCases(run, [&](const ResamplingCase& c, const Progress& progress) {
    const auto runs = raceOf(run, c, entries, Precomputation::polynomial, progress);
    for (const bool whole : {false, true}) {
      const auto seconds = [&](const RaceRun& raced) {
        const StageTimings t = medianTimings(raced.adjoint);
        return whole ? t.total : t[Stage::spread];
      };
      for (std::size_t i = 0; i < runs.size(); ++i) {
        StudyRow row = rowFor(c, entries[i].name, true, runs[i]);
        row.panel = (whole ? "adjoint, " : "spreading, ") + caseText(c.c);
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
