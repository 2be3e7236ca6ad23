#include "engine/nufft/plan/normal_choice.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/plan/work_terms.h"

namespace spokelab {

template <class Real>
NormalMethod chooseNormal(const NufftProblem& problem, const NufftOptions& asked,
                          const CpuPlanDesign<Real>& design, std::int64_t points) {
  const auto secondsOf = [&](NormalMethod normal, NufftOptions options, const Index3& grid) {
    options.normal = normal;
    return guessedSeconds(workTerms(problem, "cpu", options, grid, Direction::normal, points));
  };
  const auto griddedSeconds = [&] {
    if (meetsNormalAccuracy(design.options, design.error))
      return secondsOf(NormalMethod::gridded, design.options, design.grid);
    NufftOptions finer = design.options;
    try {
      const NufftOptions found = resolveOptions(problem, withGriddedNormal(asked));
      finer.alpha = found.alpha;
      finer.width = found.width;
    } catch (const Error&) {
      return HUGE_VAL;  // the precision does not reach it, or the width that was asked for
    }
    return secondsOf(NormalMethod::gridded, finer,
                     gridSize(problem, finer.alpha, finer.width, finer.axisAlpha));
  };
  if (secondsOf(NormalMethod::toeplitz, design.options, design.grid) >= griddedSeconds())
    return NormalMethod::gridded;
  try {
    CpuPlanDesign<Real> convolving = design;
    convolving.options.normal = NormalMethod::toeplitz;
    const std::int64_t limit = design.options.memoryLimit, needed = convolving.memory(problem, points);
    const bool allowed = (limit <= 0 || needed <= limit) && fits(double(needed), design.options.reproducible);
    return allowed ? NormalMethod::toeplitz : NormalMethod::gridded;
  } catch (const Error&) {
    // The precision does not reach the accuracy that a point spread function needs.
    return NormalMethod::gridded;
  }
}

template NormalMethod chooseNormal(const NufftProblem&, const NufftOptions&, const CpuPlanDesign<float>&,
                                   std::int64_t);
template NormalMethod chooseNormal(const NufftProblem&, const NufftOptions&, const CpuPlanDesign<double>&,
                                   std::int64_t);

}  // namespace spokelab
