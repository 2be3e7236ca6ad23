// Frames whose points differ (a sliding window, a golden angle), gridded several at a time: their
// points are set in one call and transformed together (nufft/plan/point_sets.h), since one small
// frame fills neither a GPU nor the threads of a CPU.
#pragma once

#include "engine/recon/grid/gridding_job.h"

namespace spokelab {

// Frames of those asked for that may be gridded together; 1: one by one. That is so where frames
// share their points or are large, coils are kept apart or do not all fit into one call
// (`problem`), or results have to be reproducible.
std::int64_t mostFramesTogether(const Scan& scan, const ReconOptions& options, std::span<const int> frames,
                                const NufftProblem& problem);
// As many of them as the job's backend does best, 1 where it takes one set of points at a time.
std::int64_t framesTogether(const GriddingJob& job, const NufftProblem& problem);

// Grids all frames of the job, framesTogether() at a time. options: of the plan that was chosen;
// methods that take only one set of points are replaced by ones that take several, unless they were
// asked for (`methodsFixed`, or by the job's options). first: the first frame's setup. timings,
// plan: as in a Reconstruction. Returns false and does nothing if frames are gridded one by one, or
// if no plan takes them together. Throws Error; Cancelled.
template <class Real>
bool gridFramesTogether(GriddingJob& job, const NufftProblem& problem, const NufftOptions& options,
                        bool methodsFixed, const FrameSetup& first, StageTimings& timings, PlanInfo& plan,
                        const Progress& progress);

}  // namespace spokelab
