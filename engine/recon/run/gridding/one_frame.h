// Gridders that take one frame at a time: all coils in a call of the backend, or some after the
// others.
#pragma once

#include <memory>

#include "engine/recon/run/gridding/gridder.h"

namespace spokelab {

// A gridder with a plan. Where it transforms some coils after the others it sets context.sender to
// null: samples are then taken from host memory, and none are sent ahead.
template <class Real>
std::unique_ptr<Gridder> gridderByPlan(RunContext& context, const NufftOptions& options);
// A gridder with exact sums in double precision, one coil at a time.
std::unique_ptr<Gridder> gridderByExactSums(RunContext& context);

}  // namespace spokelab
