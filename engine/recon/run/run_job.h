// A job on one backend: coils prepared, then the unknowns of its recipe one after the other.
#pragma once

#include "engine/recon/run/recipe_run.h"

namespace spokelab {

// candidate: the tuner's choice; null: the plan of the options, or for gridding what `tune` finds
// for this backend. A cancel is a result: the image holds the frames that were complete, of
// iterations also the last image of the frame under way (null where there was none). Throws Error.
Reconstruction runJob(Backend& backend, const Scan& scan, const JobPlan& job, const Candidate* candidate,
                      Wisdom* wisdom, const Progress& progress, const JobShare& share = {});
inline Reconstruction runJob(Backend& backend, const Scan& scan, const ReconOptions& options,
                             const Candidate* candidate = nullptr, Wisdom* wisdom = nullptr,
                             const Progress& progress = {}, const JobShare& share = {}) {
  return runJob(backend, scan, planJob(scan, options), candidate, wisdom, progress, share);
}

}  // namespace spokelab
