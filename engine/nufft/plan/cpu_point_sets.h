// The CPU's plans for several sets of points (plan_points.h). Small sets are transformed side by
// side, each by one thread with a separate grid, so that no thread waits for another; large sets
// are transformed in turn, each by all threads. A thread sorts a set's points when it takes the
// set, unless it took the same set last: sorted points are not kept.
#pragma once

#include "engine/nufft/nufft.h"

namespace spokelab {

// Throws Error as makeCpuNufftFloat (plan.h), and for a problem without sets.
template <class Real>
std::unique_ptr<Nufft<Real>> makeCpuPointSets(const NufftProblem& problem, const NufftOptions& options);

// Sets that such a plan should have: two for each thread, or 1 if the few threads are faster in one
// transform, whose grid their caches share.
std::int64_t cpuSetsAtOnce(int threads);

// Bytes of such a plan with `points` points in all.
std::int64_t estimateCpuPointSets(const NufftProblem& problem, const NufftOptions& options,
                                  std::int64_t points);

}  // namespace spokelab
