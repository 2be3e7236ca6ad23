// The SENSE problem of a scan.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/density/frame_densities.h"
#include "engine/recon/job/job_account.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/prepare/map_files.h"
#include "engine/recon/run/sense/coil_map_source.h"
#include "engine/recon/sense/sense_problem.h"
#include "engine/recon/sense/transform_backend.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The problem of a transform of a slice of a frame (`place`), without coils, maps and weights:
// points, times, the field map and all that the job says about the transform. Of the first shot,
// where each has a separate plan (pcSENSE). The points remain the trajectory's, which outlives the
// problem.
SenseProblem transformProblem(const Scan& scan, const Trajectory& trajectory, const JobPlan& job,
                              const MapPlace& place, std::vector<std::string>& notes,
                              const Progress& progress);

// A slice of a frame: samples, maps from files or estimated, weights. Notes say what was decided.
// `scan` may be one whose coils were prepared (coil_preparation.h): `mixing` is then its matrix,
// which coil maps of files go through as the samples did, and `job` is afterPreparation(). `maps`:
// known ones are moved into the problem. scan and densities outlive the problem. Throws Error;
// Cancelled.
SenseProblem senseProblem(TransformBackend& backend, const Scan& scan, std::span<const cdouble> mixing,
                          const JobPlan& job, int frame, int slice, FrameDensities& densities,
                          CoilMapSource& maps, std::vector<std::string>& notes, const Progress& progress);

}  // namespace spokelab
