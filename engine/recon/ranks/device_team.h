// A reconstruction on several devices of one machine: each is a separate rank
// (rank_reconstruction.h) on a thread of this process, and takes its part of a scan that all see in
// memory.
#pragma once

#include <vector>

#include "engine/recon/job/job_plan.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

class Wisdom;

// Names the tracks of devices, and of the threads that lead them, in this thread's trace.
void nameTracks(const std::vector<Backend*>& devices);

// devices: of one backend; the first one reconstructs what cannot be divided. plan: the candidate
// of runJob(), the same for all. The result says what was divided and what each device did
// (Reconstruction::ranks). Images equal one device's to rounding. The user's watcher sees the first
// device's frames; where coils are divided it sees the image of all. A cancel keeps no part. Throws
// Error.
Reconstruction reconstructOnDevices(const std::vector<Backend*>& devices, const Scan& scan,
                                    const JobPlan& job, const Candidate* plan, Wisdom* wisdom,
                                    const Progress& progress);

}  // namespace spokelab
