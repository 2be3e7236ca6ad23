#include "engine/profile/study/multicore/study_baseline.h"

#include <algorithm>
#include <array>

#include "engine/core/simd/cpu_features.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/profile/study/multicore/interleaved_runs.h"
#include "engine/profile/study/multicore/plain_run.h"

namespace spokelab {
namespace {

constexpr double percent = 100;
// Shares of the stages, one line a stage, one place a pattern.
void addShares(StudyRun& run, const ResamplingCase& c, const std::string& name, const RaceRun& raced) {
  const auto& patterns = run.request().patterns;
  for (const bool adjoint : {false, true}) {
    const StudyRow whole = rowFor(c, name, adjoint, raced);
    const StageTimings& t = whole.candidate.timings;
    const auto add = [&](std::string_view stage, double seconds) {
      if (seconds <= 0) return;
      StudyRow row = whole;
      row.panel = row.direction + ", " + interleavedText(c.c) + ", " +
                  countText(raced.info.options.threads, "thread");
      row.series = stage;
      row.x = double(std::find(patterns.begin(), patterns.end(), c.c.pattern) - patterns.begin());
      row.y = percent * seconds / t.total;
      run.add(std::move(row));
    };
    for (std::size_t s = 0; s < std::size_t(stageCount); ++s) add(stageNames[s], t.seconds[s]);
    add("not accounted for", t.unaccounted());
  }
}

std::vector<std::string> widthNames(std::span<const double> widths) {
  std::vector<std::string> names;
  for (const double w : widths) names.push_back("W " + numberText(w));
  return names;
}

}  // namespace

void studySequentialStages(StudyRun& run) {
  run.setCategories(run.request().patterns);
  forInterleaved(run, [&](const ResamplingCase& c, const Progress& progress) {
    addShares(run, c, "sequential", racePlain(run, c, c.points, interleavedWidth, progress).raced);
  });
}

void studyParallelStages(StudyRun& run) {
  run.setCategories(run.request().patterns);
  const ScheduledPlan plan{"parallel", {Scheduler::graph, 0, 0}, mostThreads(run)};
  forInterleaved(run, [&](const ResamplingCase& c, const Progress& progress) {
    addShares(run, c, plan.name, raceScheduled(run, c, {plan}, progress).front());
  });
}

void studyConvolutionParts(StudyRun& run) {
  constexpr double widths[] = {4, 8, 12, 16};
  run.setCategories(widthNames(widths));
  forInterleaved(run, [&](const ResamplingCase& c, const Progress& progress) {
    for (std::size_t i = 0; i < std::size(widths); ++i) {
      const double parts = double(std::size(widths));
      const PlainRun plain =
          racePlain(run, c, c.points, widths[i], progress.part(double(i) / parts, double(i + 1) / parts));
      for (const bool adjoint : {true, false})
        for (const bool first : {true, false}) {
          StudyRow row = rowFor(c, first ? "part 1" : "part 2", adjoint, plain.raced);
          const double whole = row.candidate.timings.interpolation();
          const double share = percent * std::min(1.0, plain.kernelSeconds / whole);
          row.panel = row.direction + ", " + c.c.pattern + ", " + interleavedText(c.c);
          row.series = row.variant;
          row.x = double(i);
          row.y = first ? share : percent - share;
          run.add(std::move(row));
        }
    }
  });
}

void studyVectors(StudyRun& run) {
  constexpr double widths[] = {4, 8, 16};
  run.setCategories(widthNames(widths));
  forInterleaved(run, [&](const ResamplingCase& c, const Progress& progress) {
    for (std::size_t i = 0; i < std::size(widths); ++i) {
      const double parts = double(std::size(widths)), at = double(i) / parts;
      const Index3 grid = gridSize(c.problem, run.request().alphas.front(), widths[i]);
      const RaceRun plain =
          racePlain(run, c, reordered(c, grid), widths[i], progress.part(at, at + 0.5 / parts)).raced;
      const RaceRun vectors = raceScheduled(run, c, {{"vectors", {Scheduler::tiles, 0, 0}, 1, widths[i]}},
                                            progress.part(at + 0.5 / parts, at + 1 / parts))
                                  .front();
      for (const bool adjoint : {true, false}) {
        StudyRow row =
            rowFor(c, "vectors, " + std::string(instructionSetName(instructionSet())), adjoint, vectors);
        const double seconds = row.candidate.timings.interpolation();
        row.speedUp = medianTimings(adjoint ? plain.adjoint : plain.forward).interpolation() / seconds;
        row.panel = row.direction + ", " + interleavedText(c.c);
        row.series = c.c.pattern;
        row.x = double(i);
        row.y = row.speedUp;
        run.add(std::move(row));
      }
    }
  });
}

void studyOverall(StudyRun& run) {
  const std::vector<std::string> places = {"convolution", "3-D FFT", "NUFFT"};
  run.setCategories(places);
  const ScheduledPlan optimised{"optimised", {Scheduler::graph, 0, 0}, mostThreads(run)};
  using Seconds = std::array<double, 3>;
  const auto secondsOf = [](const RaceRun& raced) {
    StageTimings t = medianTimings(raced.adjoint);
    t += medianTimings(raced.forward);
    return Seconds{t.interpolation(), t.fft(), t.total};
  };
  const auto add = [&](StudyRow row, const std::string& panel, const Seconds& baseline,
                       const Seconds& optimum) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto place = [&](const std::string& series, const std::string& unit, double y) {
        StudyRow placed = row;
        placed.direction = "forward + adjoint";
        placed.variant = placed.series = series;
        placed.panel.append(panel).append(", ").append(unit);
        placed.x = double(i);
        placed.y = y;
        placed.seconds = series == "baseline" ? baseline[i] : optimum[i];
        run.add(std::move(placed));
      };
      place("baseline", "seconds", baseline[i]);
      place("optimised", "seconds", optimum[i]);
      place("speed-up", "speed-up", baseline[i] / optimum[i]);
    }
  };
  Seconds before{}, after{};
  int sets = 0;
  forAllInterleaved(run, [&](const ResamplingCase& c, const Progress& progress) {
    const Seconds baseline =
        secondsOf(racePlain(run, c, c.points, interleavedWidth, progress.part(0, 0.5)).raced);
    const RaceRun raced = raceScheduled(run, c, {optimised}, progress.part(0.5, 1)).front();
    const Seconds optimum = secondsOf(raced);
    for (std::size_t i = 0; i < places.size(); ++i) {
      before[i] += baseline[i];
      after[i] += optimum[i];
    }
    ++sets;
    add(rowFor(c, optimised.name, true, raced), c.c.pattern + ", " + interleavedText(c.c), baseline, optimum);
  });
  if (sets < 2) return;
  for (std::size_t i = 0; i < places.size(); ++i) {
    before[i] /= sets;
    after[i] /= sets;
  }
  StudyRow mean;
  mean.candidate.backend = "cpu";
  add(mean, "mean of " + std::to_string(sets) + " data sets", before, after);
}

}  // namespace spokelab
