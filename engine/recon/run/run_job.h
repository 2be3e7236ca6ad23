// A job on one backend: it prepares the coils, then solves for one image, or one group of frames,
// after the other (Unknown in recipe_run.h).
#pragma once

#include "engine/recon/run/recipe_run.h"

namespace spokelab {

// candidate: the tuner's choice. Null: iterations plan by the options, gridding tunes for this
// backend. wisdom: results of earlier tunings, read and added to; null: tune without them. share:
// the part of the job that this rank does; the default is all of it.
// A cancel is a result: its image holds the complete frames and, for iterations, the last image of
// the frame in progress; the image is null if no frame has one. Throws Error.
Reconstruction runJob(Backend& backend, const Scan& scan, const JobPlan& job, const Candidate* candidate,
                      Wisdom* wisdom, const Progress& progress, const JobShare& share = {});
inline Reconstruction runJob(Backend& backend, const Scan& scan, const ReconOptions& options,
                             const Candidate* candidate = nullptr, Wisdom* wisdom = nullptr,
                             const Progress& progress = {}, const JobShare& share = {}) {
  return runJob(backend, scan, planJob(scan, options), candidate, wisdom, progress, share);
}

}  // namespace spokelab
