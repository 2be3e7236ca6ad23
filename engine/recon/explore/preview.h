// A small scan that looks like a large one, for an image right after opening and while a slider is
// dragged. It keeps the field of view; the matrix shrinks, and with it the k-space that is kept:
// |k_d| <= N'_d / 2. If it still has too many samples, shots are left out (the density weights make
// up for them); too many slices are left out, too.
#pragma once

#include <memory>

#include "engine/core/progress.h"
#include "engine/nufft/nufft.h"
#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct PreviewLimits {
  std::int64_t volumePixels = 48 * 48 * 48, slicePixels = 192 * 192;
  std::int64_t samples = 1'500'000;  // times coils and slices
  int coils = 4;                     // after compression
};

// One frame with density weights, in the whole scan's intensities. Throws Error, Cancelled.
std::shared_ptr<const Scan> previewScan(const Scan& scan, int frame, const ReconOptions& options,
                                        NufftBackend& backend, const PreviewLimits& limits,
                                        const Progress& progress);

// Options of its reconstruction: gridding, nothing timed, few coils; plan as in `options`.
ReconOptions previewOptions(ReconOptions options, const Scan& preview, const PreviewLimits& limits);

// The accuracy that the plan of `options` holds where it fixes both alpha and W: its own error
// where that is larger than the accuracy asked for, so that a pair is never refused for being
// coarse. Else the accuracy asked for.
double heldAccuracy(const Scan& scan, const ReconOptions& options);

}  // namespace spokelab
