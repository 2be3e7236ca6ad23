// Chooses the normal operator of a CPU plan if the caller asks for none and none was timed: the
// faster one by the cost model's first guesses (so the choice is the same in every run), if it fits
// into memory. The gridded operator is guessed with a finer plan where the plan's own transforms
// err too much for it.
#pragma once

#include "engine/nufft/plan/design.h"

namespace spokelab {

// asked: the plan's options before they were resolved.
template <class Real>
NormalMethod chooseNormal(const NufftProblem& problem, const NufftOptions& asked,
                          const CpuPlanDesign<Real>& design, std::int64_t points);

extern template NormalMethod chooseNormal(const NufftProblem&, const NufftOptions&,
                                          const CpuPlanDesign<float>&, std::int64_t);
extern template NormalMethod chooseNormal(const NufftProblem&, const NufftOptions&,
                                          const CpuPlanDesign<double>&, std::int64_t);

}  // namespace spokelab
