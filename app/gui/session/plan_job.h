// Jobs with one plan that is given: a point of a chart, the most accurate plan.
#pragma once

#include <QString>

#include <memory>

#include "engine/nufft/tune/tune.h"
#include "engine/recon/reconstruction.h"

namespace spokelab {

class Progress;
class Session;
struct Scan;

// Reconstructs with this very plan. On the worker thread. Throws Error where its backend is not
// here, and Cancelled.
std::shared_ptr<const Reconstruction> runPlan(const Session& session, const Scan& scan,
                                              const ReconOptions& options, const Candidate& plan,
                                              const Progress& progress);
QString planLabel(const Candidate& plan);  // "α 1.25, W 6"
// The command line that reconstructs the open scan with this plan.
QString planCommand(const Session& session, ReconOptions options, const Candidate& plan);

}  // namespace spokelab
