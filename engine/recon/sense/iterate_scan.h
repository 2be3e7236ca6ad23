// Iterative reconstruction of a scan: maps, weights, transform and iterations for every frame and slice
// asked for.
#pragma once

#include <span>

#include "engine/recon/backend.h"
#include "engine/recon/density/density.h"

namespace spokelab {

/// As Backend::reconstruct, for options.iterative.method sense and pcSense. `plan`: how the NUFFT is
/// computed. A cancel keeps the frames that are complete, and the last image of the one that was under way.
/// Throws Error.
Reconstruction iterateScan(Backend& backend, const Scan& scan, const ReconOptions& options,
                           const Candidate* plan, const Progress& progress);

/// What a slice of a frame asks for: samples, maps from files or estimated, weights. Notes say what was
/// decided. `scan` may be one whose coils were prepared (coil_preparation.h): `mixing` is then its matrix, which
/// coil maps of files go through as the samples did. `density` is used if it holds values, else computed.
SenseProblem senseProblem(Backend& backend, const Scan& scan, std::span<const cdouble> mixing,
                          const ReconOptions& options, int frame, int slice, DensityWeights& density,
                          std::vector<std::string>& notes, const Progress& progress);

/// An empty image of the scan: `frames` frames, of a 2-D scan the `slices`. Throws Error where memory is short.
std::shared_ptr<Image> emptyImage(const Scan& scan, int frames, const std::vector<int>& slices);

}  // namespace spokelab
