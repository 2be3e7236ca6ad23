#include "engine/nufft/plan/normal_choice.h"

#include "engine/core/error.h"
#include "engine/nufft/tune/cost_model.h"

namespace spokelab {

template <class Real>
NormalMethod chooseNormal(const NufftProblem& problem, const Design<Real>& design, std::int64_t points) {
  TuneRequest request;
  request.problem = problem;
  request.direction = Direction::normal;
  Candidate candidate;
  candidate.backend = "cpu";
  candidate.grid = design.grid;
  candidate.options = design.options;
  candidate.options.normal = NormalMethod::gridded;
  const double gridded = CostModel::firstGuess(request, candidate, points);
  candidate.options.normal = NormalMethod::toeplitz;
  if (CostModel::firstGuess(request, candidate, points) >= gridded) return NormalMethod::gridded;
  try {
    Design<Real> convolving = design;
    convolving.options.normal = NormalMethod::toeplitz;
    const std::int64_t limit = design.options.memoryLimit;
    if (limit > 0 && convolving.memory(problem, points) > limit) return NormalMethod::gridded;
    return NormalMethod::toeplitz;
  } catch (const Error&) {  // the precision does not reach what the point spread function takes
    return NormalMethod::gridded;
  }
}

template NormalMethod chooseNormal(const NufftProblem&, const Design<float>&, std::int64_t);
template NormalMethod chooseNormal(const NufftProblem&, const Design<double>&, std::int64_t);

}  // namespace spokelab
