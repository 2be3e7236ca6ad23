#include "engine/profile/study/study_error.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/profile/study/plan_race.h"
#include "engine/profile/study/study_problem.h"

namespace spokelab {
namespace {

constexpr int outputs = 256;  // at which the largest error is looked for

void errorsAt(StudyRun& run, const ResamplingCase& c, int halfWidth, const Progress& progress) {
  for (const Precomputed& p : precomputed())
    for (const bool adjoint : {false, true}) {
      progress.checkpoint();
      StudyRow row = rowFor(c, p.name, adjoint);
      row.panel = row.direction;
      row.series = p.name;
      row.x = halfWidth;
      row.candidate.options = optionsWith(c.problem, 2, 2.0 * halfWidth);
      p.choose(row.candidate.options);
      try {
        row.y = largestRelativeError(c.problem, row.candidate.options, c.points, adjoint, outputs, progress);
      } catch (const Error& e) {
        refuse(row, e);
      }
      run.add(std::move(row));
    }
}

}  // namespace

void studyWindowError(StudyRun& run) {
  const auto& sizes = run.request().sizes;
  const std::size_t widths = maxHalfWidth - minHalfWidth + 1;
  run.cpu();
  run.steps(sizes.size() * widths, [&](std::size_t i, const Progress& progress) {
    const ResamplingCase c = resamplingCase(2, sizes[i / widths]);
    errorsAt(run, c, minHalfWidth + int(i % widths), progress);
  });
}

void studyAliasing(StudyRun& run) {
  constexpr double alphas[] = {1.125, 1.25, 1.375, 1.5, 1.75, 2}, step = 0.25;
  const auto& sizes = run.request().sizes;
  run.steps(sizes.size(), [&](std::size_t i, const Progress&) {
    NufftProblem problem;
    problem.dims = 3;
    problem.size = {sizes[i], sizes[i], sizes[i]};
    problem.precision = Precision::dbl;  // what rounding adds is not aliasing
    for (const double alpha : alphas)
      for (double width = 1; width <= maxKernelWidth / 2; width += step) {
        if (!Kernel::defined(KernelType::kaiserBessel, width, alpha)) continue;
        StudyRow row;
        row.c.size = sizes[i];
        row.candidate.options.alpha = alpha;
        row.candidate.options.width = width;
        row.candidate.grid = gridSize(problem, alpha, width);
        row.candidate.predicted =
            predictError(problem, Kernel(KernelType::kaiserBessel, width, alpha), row.candidate.grid, 0);
        row.variant = row.series = "alpha " + numberText(alpha);
        row.panel = "N " + std::to_string(sizes[i]);
        row.x = width;
        row.y = row.candidate.predicted.worstPixel;
        run.add(std::move(row));
      }
  });
}

}  // namespace spokelab
