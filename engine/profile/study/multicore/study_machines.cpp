#include "engine/profile/study/multicore/study_machines.h"

#include <algorithm>
#include <cmath>

#include "engine/profile/study/multicore/interleaved_runs.h"
#include "engine/profile/study/study_points.h"
#include "engine/profile/study/study_quartiles.h"

namespace spokelab {
namespace {

// A radial data set of a table; other sizes have readouts in proportion to N^2, samples to N.
struct RadialSet {
  int size, readouts, samples;
};

constexpr RadialSet shu{240, 8047, 512}, nam{344, 9000, 344};

ResamplingCase caseOf(const RadialSet& set, int size) {
  const double scale = double(size) / set.size;
  ResamplingCase c;
  c.problem.dims = 3;
  c.problem.size = {size, size, size};
  c.points = readoutPoints(size, std::max(1, int(std::lround(set.readouts * scale * scale))),
                           std::max(1, int(std::lround(set.samples * scale))));
  const auto count = std::int64_t(c.points.size() / 3);
  c.c = {"radial3d", size, double(c.problem.pixels()) / double(count), 0, count};
  return c;
}

void against(StudyRun& run, const RadialSet& set, const std::vector<std::string>& backends) {
  run.setCategories({"adjoint", "forward", "total"});
  for (const std::string& name : backends)
    if (!run.backend(name)) run.add(refusedRow(name, name));
  const auto& sizes = run.request().sizes;
  run.steps(sizes.size(), [&](std::size_t i, const Progress& progress) {
    const ResamplingCase c = caseOf(set, sizes[i]);
    for (const std::string& name : backends) {
      NufftBackend* backend = run.backend(name);
      if (!backend) continue;
      const NufftOptions options = optionsWith(c.problem, run.request().alphas.front(), interleavedWidth);
      double total = 0;
      const auto add = [&](const Candidate& candidate, int place, const std::string& direction,
                           double seconds) {
        StudyRow row = rowFor(c, name, false);
        row.direction = direction;
        row.candidate = candidate;
        row.refused = candidate.refused;
        row.transferSeconds = candidate.transferSeconds;
        row.setUpSeconds = candidate.setPointsSeconds;
        row.seconds = seconds;
        row.panel = row.refused.empty() ? interleavedText(c.c) : "";
        row.series = name;
        row.x = place;
        row.y = seconds;
        if (seconds == candidate.timings.total) addTimeQuartiles(row);
        run.add(std::move(row));
      };
      for (const bool adjoint : {true, false}) {
        const Candidate candidate =
            timeFixed(*backend, c, options, adjoint ? Direction::adjoint : Direction::forward, run.request(),
                      false, progress);
        add(candidate, adjoint ? 0 : 1, adjoint ? "adjoint" : "forward", candidate.timings.total);
        if (!candidate.refused.empty()) break;
        total += candidate.timings.total;
        if (!adjoint) add(candidate, 2, "forward + adjoint", total);
      }
    }
  });
}

}  // namespace

void studyAgainstCpus(StudyRun& run) {
  against(run, shu, {cpuBackend});
}

void studyAgainstGpu(StudyRun& run) {
  against(run, nam, {cpuBackend, gpuBackend});
}

}  // namespace spokelab
