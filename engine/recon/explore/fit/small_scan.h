// The centre of k-space of one slice or volume of a scan, for fits that try many models of it.
#pragma once

#include <memory>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

struct SmallScan {
  std::shared_ptr<Scan> scan;  // one frame, one slice
  int frame = 0, slice = 0;    // of the whole scan

  // Points [sample, dims] of the small scan, with gradients `delays` samples late by axis.
  std::vector<double> pointsAt(const Vec3& delays) const;
  // The change of the points from sample to sample.
  std::vector<double> slopesAt(const Vec3& delays) const;

  Trajectory fullTrajectory;              // of the frame, all samples
  std::vector<std::int64_t> keptSamples;  // samples of `fullTrajectory`
};

// Reduces the scan to at most `matrix` pixels along an axis. keepArrays: keeps maps beside the
// scan. Throws Error where no sample is left.
SmallScan smallScan(const Scan& scan, int frame, int slice, std::int64_t matrix, bool keepArrays);

}  // namespace spokelab
