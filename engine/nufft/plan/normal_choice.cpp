#include "engine/nufft/plan/normal_choice.h"

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/nufft/plan/work_terms.h"

namespace spokelab {

template <class Real>
NormalMethod chooseNormal(const NufftProblem& problem, const CpuPlanDesign<Real>& design,
                          std::int64_t points) {
  const auto secondsOf = [&](NormalMethod normal) {
    NufftOptions options = design.options;
    options.normal = normal;
    return guessedSeconds(workTerms(problem, "cpu", options, design.grid, Direction::normal, points));
  };
  if (secondsOf(NormalMethod::toeplitz) >= secondsOf(NormalMethod::gridded)) return NormalMethod::gridded;
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

template NormalMethod chooseNormal(const NufftProblem&, const CpuPlanDesign<float>&, std::int64_t);
template NormalMethod chooseNormal(const NufftProblem&, const CpuPlanDesign<double>&, std::int64_t);

}  // namespace spokelab
