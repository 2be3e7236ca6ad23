// Chooses the normal operator of a CPU plan if the caller asks for none and none was timed: the faster
// one by the cost model's first guesses (so the choice is the same in every run), if it fits into
// memory.
#pragma once

#include "engine/nufft/plan/design.h"

namespace spokelab {

template <class Real>
NormalMethod chooseNormal(const NufftProblem& problem, const CpuPlanDesign<Real>& design,
                          std::int64_t points);

extern template NormalMethod chooseNormal(const NufftProblem&, const CpuPlanDesign<float>&, std::int64_t);
extern template NormalMethod chooseNormal(const NufftProblem&, const CpuPlanDesign<double>&, std::int64_t);

}  // namespace spokelab
