#include "engine/profile/study/cufinufft/study_memory.h"

#include "engine/core/text.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/profile/study/cufinufft/fixed_methods.h"

namespace spokelab {
namespace {

constexpr double megabyte = 1e6, percent = 100;

}  // namespace

void studyMemory(StudyRun& run) {
  addMissingFixed(run, spreadingList());
  const StudyRequest& q = run.request();
  const std::size_t accuracies = q.accuracies.size();
  run.steps(q.sizes.size() * accuracies, [&](std::size_t i, const Progress& progress) {
    const double accuracy = q.accuracies[i % accuracies];
    const ResamplingCase c =
        boxCase("random", 3, q.sizes[i / accuracies], q.accelerations.front(), Precision::single);
    NufftOptions options;
    options.alpha = q.alphas.front();
    options.kernel = KernelType::semicircle;
    options.accuracy = accuracy;
    options.width = smallestWidth(c.problem, options.kernel, options.alpha, accuracy);
    timeMethods(run, c, options, true, false, progress, [&](const StudyRow& timed) {
      if (!timed.refused.empty()) return run.add(timed);
      const std::string place = ", accuracy " + numberText(accuracy);
      const std::pair<const char*, double> kinds[] = {
          {"time / s", timed.seconds},
          {"memory of the plan / MB", double(timed.candidate.memory) / megabyte},
          {"share of spreading / %", percent * timed.candidate.timings.interpolation() / timed.seconds}};
      for (const auto& [kind, y] : kinds) {
        StudyRow row = timed;
        row.panel = kind + place;
        row.series = row.variant;
        row.x = row.c.size;
        row.y = y;
        run.add(std::move(row));
      }
    });
  });
}

}  // namespace spokelab
