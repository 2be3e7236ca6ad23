#include "engine/profile/study/gnufftw/study_aliasing.h"

#include "engine/core/text.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/kernel.h"

namespace spokelab {

void studyAliasing(StudyRun& run) {
  constexpr double step = 0.25;
  const auto& sizes = run.request().sizes;
  run.steps(sizes.size(), [&](std::size_t i, const Progress&) {
    NufftProblem problem;
    problem.dims = 3;
    problem.size = {sizes[i], sizes[i], sizes[i]};
    problem.precision = Precision::double64;  // what rounding adds is not aliasing
    for (const double alpha : run.request().alphas)
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
