// The picture of a scan whose trajectory is moved by gradient delays: one frame and slice, gridded
// on a small matrix, for the eye.
#pragma once

#include <memory>

#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// The slice (or volume) that fitModel looks at, with at most `size` pixels along an axis, half of
// it in a volume. delays: samples along each axis. Throws Error, Cancelled.
std::shared_ptr<const Image> fitPicture(const Scan& scan, const ReconOptions& options, const Vec3& delays,
                                        std::int64_t size, const Progress& progress);

}  // namespace spokelab
