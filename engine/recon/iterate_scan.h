// Iterative reconstruction of a scan: maps, weights, transform and iterations for every frame and
// slice asked for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/recon/backend.h"
#include "engine/recon/prepare/coil_division.h"
#include "engine/recon/prepare/job_image.h"

namespace spokelab {

// The part of a scan that one rank of several reconstructs.
struct IterationShare {
  std::vector<int> frames;     // of those that the options name; empty: all of them
  std::vector<int> mapFrames;  // that coil maps are estimated from; empty: as for all frames
  // Makes the run of a problem; empty: the backend does.
  std::function<std::unique_ptr<SenseRun>(const SenseProblem&)> senseRun;
  std::optional<CoilDivision> coils;  // of ranks that divide them
  bool keepsImage = true;             // false: another rank does
  ImagePlace place;  // of the image of these frames in that of all; none: it is one of its own
};

// As Backend::reconstruct, for options.iterative.method sense and pcSense. `plan`: how the NUFFT is
// computed. A cancel keeps the frames that are complete, and the last image of the one that was
// under way.
// Throws Error.
Reconstruction iterateScan(Backend& backend, const Scan& scan, const ReconOptions& options,
                           const Candidate* plan, const Progress& progress, const IterationShare& share = {});

}  // namespace spokelab
