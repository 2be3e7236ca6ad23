#include "engine/profile/study/cufinufft/study_transforms.h"

#include <cmath>

#include "engine/core/text.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/profile/study/cufinufft/fixed_methods.h"
#include "engine/profile/study/study_quartiles.h"

namespace spokelab {
namespace {

// "exec", "total" and "total+mem" of one timed row: points set already, new points, and copies.
void addTimings(StudyRun& run, const StudyRow& timed, const std::string& panel, double x) {
  const std::pair<const char*, double> kinds[] = {
      {"exec", timed.seconds},
      {"total", timed.seconds + timed.setUpSeconds},
      {"total+mem", timed.seconds + timed.setUpSeconds + timed.transferSeconds}};
  for (const auto& [kind, seconds] : kinds) {
    StudyRow row = timed;
    row.panel = panel + ", " + kind;
    row.series = row.variant;
    row.x = x;
    row.y = seconds / double(row.c.points) / nanosecond;
    addTimeQuartiles(row, seconds - timed.seconds);
    run.add(std::move(row));
  }
}

// The options for an accuracy, or a refused row.
bool optionsFor(StudyRun& run, const ResamplingCase& c, double accuracy, bool adjoint,
                NufftOptions& options) {
  const double sigma = run.request().alphas.front();
  const double width = smallestWidth(c.problem, KernelType::semicircle, sigma, accuracy);
  if (width > 0) {
    options.alpha = sigma;
    options.width = width;
    options.kernel = KernelType::semicircle;
    options.accuracy = accuracy;
    return true;
  }
  for (const std::string& name : transformMethods()) {
    if (!run.backend(name.substr(0, name.find(' ')))) continue;
    StudyRow row = rowFor(c, name, adjoint);
    row.c.accuracy = accuracy;
    row.refused = "no kernel reaches an accuracy of " + numberText(accuracy) + " at this precision";
    run.add(std::move(row));
  }
  return false;
}

void overErrors(StudyRun& run, Precision precision) {
  addMissingFixed(run, spreadingList());
  const StudyRequest& q = run.request();
  const std::size_t accuracies = q.accuracies.size(), rs = q.accelerations.size();
  run.steps(q.sizes.size() * rs * 2, [&](std::size_t i, const Progress& progress) {
    const int dims = i % 2 == 0 ? 2 : 3, n = q.sizes[i / 2 / rs];
    // The side of a 2-D image with the pixels of the 3-D image.
    const int side = dims == 3 ? n : int(std::lround(std::pow(n, 1.5)));
    const double r = std::pow(q.accelerations[i / 2 % rs], dims / 3.0);  // the same number of points
    const ResamplingCase c = boxCase("random", dims, side, r, precision);
    for (std::size_t k = 0; k < 2 * accuracies; ++k) {
      const bool adjoint = k % 2 == 0;
      const double parts = 2 * double(accuracies);
      const Progress part = progress.part(double(k) / parts, double(k + 1) / parts);
      const auto seen = [&](const StudyRow& timed) {
        if (!timed.refused.empty() || !timed.candidate.measuredError) return run.add(timed);
        addTimings(run, timed, std::to_string(dims) + "-D, " + timed.direction,
                   *timed.candidate.measuredError);
      };
      NufftOptions options;
      if (optionsFor(run, c, q.accuracies[k / 2], adjoint, options))
        timeMethods(run, c, options, adjoint, true, part, seen);
      timePlugins(run, c, q.accuracies[k / 2], adjoint, true, part, seen);
    }
  });
}

}  // namespace

std::vector<std::string> transformMethods() {
  return fixedNames(spreadingList());
}

void studyErrors(StudyRun& run) {
  overErrors(run, Precision::single);
}

void studyErrorsDouble(StudyRun& run) {
  overErrors(run, Precision::double64);
}

void studyModes(StudyRun& run) {
  addMissingFixed(run, spreadingList());
  const StudyRequest& q = run.request();
  const std::size_t accuracies = q.accuracies.size(), sizes = q.sizes.size(), rs = q.accelerations.size();
  run.steps(q.patterns.size() * sizes * rs, [&](std::size_t i, const Progress& progress) {
    const ResamplingCase c = boxCase(q.patterns[i / (sizes * rs)], 2, q.sizes[i / rs % sizes],
                                     q.accelerations[i % rs], Precision::single);
    for (std::size_t k = 0; k < 2 * accuracies; ++k) {
      const bool adjoint = k % 2 == 0;
      const double parts = 2 * double(accuracies);
      const Progress part = progress.part(double(k) / parts, double(k + 1) / parts);
      const double accuracy = q.accuracies[k / 2];
      const auto seen = [&](const StudyRow& timed) {
        if (!timed.refused.empty()) return run.add(timed);
        addTimings(run, timed, c.c.pattern + ", " + timed.direction + ", accuracy " + numberText(accuracy),
                   double(c.c.size) * c.c.size);
      };
      NufftOptions options;
      if (optionsFor(run, c, accuracy, adjoint, options))
        timeMethods(run, c, options, adjoint, false, part, seen);
      timePlugins(run, c, accuracy, adjoint, false, part, seen);
    }
  });
}

}  // namespace spokelab
