// Gridders that take one frame at a time: all coils in a call of the backend, or some after the
// others.
#pragma once

#include <memory>

#include "engine/recon/run/gridding/gridder.h"

namespace spokelab {

// A gridder with a plan; no sender for the context if the backend takes coils by parts.
template <class Real>
std::unique_ptr<Gridder> gridderByPlan(RunContext& context, const NufftOptions& options);
// A gridder with exact sums in double precision, one coil at a time.
std::unique_ptr<Gridder> gridderByExactSums(RunContext& context);

}  // namespace spokelab
