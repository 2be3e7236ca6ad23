#include "engine/profile/study/cufinufft/study_spreading.h"

#include <map>

#include "engine/core/text.h"
#include "engine/profile/study/cufinufft/fixed_methods.h"

namespace spokelab {
namespace {

constexpr double width = 6;
constexpr const char* reference = "cuda gm";  // the figures' speed-ups are over GM

// The stage alone and with set-up, one line each.
void compare(StudyRun& run, int dims, bool adjoint) {
  addMissingFixed(run, adjoint ? spreadingList() : interpolationList());
  const StudyRequest& q = run.request();
  const std::size_t rs = q.accelerations.size(), sizes = q.sizes.size();
  run.steps(q.patterns.size() * sizes * rs, [&](std::size_t i, const Progress& progress) {
    const ResamplingCase c = boxCase(q.patterns[i / (sizes * rs)], dims, q.sizes[i / rs % sizes],
                                     q.accelerations[i % rs], Precision::single);
    std::map<bool, double> ofReference;
    NufftOptions options = optionsWith(c.problem, q.alphas.front(), width, KernelType::semicircle);
    if (q.crowdedSums) options.crowdedSums = *q.crowdedSums;
    timeMethods(run, c, options, adjoint, false, progress, [&](const StudyRow& timed) {
      if (!timed.refused.empty()) return run.add(timed);
      for (const bool withSetUp : {false, true}) {
        StudyRow row = timed;
        row.seconds = row.candidate.timings.interpolation();
        const double seconds = row.seconds + (withSetUp ? row.setUpSeconds : 0);
        if (row.variant == reference) ofReference[withSetUp] = seconds;
        row.speedUp = ofReference[withSetUp] / seconds;
        row.panel = c.c.pattern + ", R " + numberText(c.c.acceleration) + ", " + std::to_string(dims) + "-D";
        row.series = row.variant + (withSetUp ? ", total" : adjoint ? ", spread" : ", interpolate");
        row.x = double(row.candidate.grid[0]);
        row.y = seconds / double(c.c.points) / nanosecond;
        run.add(std::move(row));
      }
    });
  });
}

}  // namespace

std::vector<std::string> spreadingMethods() {
  return fixedNames(spreadingList());
}

std::vector<std::string> interpolationMethods() {
  return fixedNames(interpolationList());
}

void studySpreading(StudyRun& run) {
  compare(run, 3, true);
}
void studySpreading2d(StudyRun& run) {
  compare(run, 2, true);
}
void studyInterpolation(StudyRun& run) {
  compare(run, 3, false);
}
void studyInterpolation2d(StudyRun& run) {
  compare(run, 2, false);
}

}  // namespace spokelab
