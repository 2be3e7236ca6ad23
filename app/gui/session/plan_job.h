// Jobs with one plan that is given: a point of a chart, the most accurate plan.
#pragma once

#include <QString>

#include <memory>
#include <optional>

#include "engine/nufft/tune/result/tune_result.h"
#include "engine/recon/run/reconstruction.h"

namespace spokelab {

class Progress;
class Session;
struct Scan;

// The options of a reconstruction with exactly this plan. Only SENSE has paths of a normal
// operator: the options' transform follows the plan, and a method that does not iterate becomes
// SENSE.
ReconOptions optionsFor(ReconOptions options, const Candidate& plan);
// Says in a sentence how the work differs from the timed work; empty if it does not.
QString planNote(const ReconOptions& options, const Candidate& plan, const std::optional<Workload>& timed);
bool ranWith(const Reconstruction& result, const Candidate& plan);

// Reconstructs with this very plan, for optionsFor(); `note` is added to the result's. On the
// worker thread. Throws Error where its backend is not here, and Cancelled.
std::shared_ptr<const Reconstruction> runPlan(const Session& session, const Scan& scan,
                                              const ReconOptions& options, const Candidate& plan,
                                              const QString& note, const Progress& progress);
// The plan of a result as its job timed it, a single candidate: the mean of all executions. Null
// where that is not known: an imported image, exact sums, slabs, iterations whose transforms are
// not told apart. On the worker thread.
std::shared_ptr<const TuneResult> timedPlan(const Scan& scan, const Reconstruction& result,
                                            const MachineLoad& load);
// The charts leave out Toeplitz plans of unknown error. Gives timed ones without a predicted error
// of the normal operator the predicted error of their transforms.
void placeConvolutions(TuneResult& timed);
QString planLabel(const Candidate& plan);  // "α 1.25, W 6", "Toeplitz padded, α_T 2.06"
QString planCommand(const Session& session, ReconOptions options, const Candidate& plan);

}  // namespace spokelab
