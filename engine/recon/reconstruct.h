// The road that window and command line share: choose backends, plan the job, tune across them, and
// reconstruct on the winner.
#pragma once

#include <functional>
#include <vector>

#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

class Wisdom;

// The job that reconstruct() would run, as this machine's memory and devices allow it. Nothing is
// tuned.
JobPlan planReconstruction(const std::vector<Backend*>& backends, const Scan& scan,
                           const ReconOptions& options);

// Picks the backends for options.backend, tunes across them, and reconstructs on the winner. `seen`
// receives each candidate as it is timed.
Reconstruction reconstruct(const std::vector<Backend*>& backends, const Scan& scan,
                           const ReconOptions& options, Wisdom* wisdom, const Progress& progress,
                           const std::function<void(const Candidate&)>& seen = {});

// The expected account of such a job, reading and writing included, from earlier jobs on this
// machine; total 0: not known (no wisdom, no job of its kind).
JobAccount forecastJob(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
                       const Wisdom* wisdom);
// Keeps what the caller's own stages took for the next forecast; reconstruct() keeps its own.
void learnJob(const std::vector<Backend*>& backends, const Scan& scan, const ReconOptions& options,
              const Wisdom* wisdom, const JobAccount& account);

}  // namespace spokelab
