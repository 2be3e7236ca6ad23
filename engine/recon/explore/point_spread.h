// The point spread function of a trajectory with its density weights. Gridding turns a point at the
// centre into
//   p(n) = N^{-d} sum_j w_j e^{+2 pi i n . k_j},   k in cycles per pixel, n in pixels.
#pragma once

#include <span>
#include <string>

#include "engine/nufft/nufft.h"
#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

namespace spokelab {

struct PointSpread {
  Image image;         // p / |p(0)| over twice the field of view: all that one pixel can do to another
  bool whole = true;   // false: over the field of view only, where twice that would not fit into memory
  double peak = 0;     // |p(0)|: the share of the matrix' k-space that the weights add up to
  Vec3 fwhm{0, 0, 0};  // of |p| along x, y, z in pixels; 0 beyond the dimensions, or wider than can be told
  double sideLobe =
      0;  // the largest |p| / |p(0)| beyond the main lobe (its first minima along the axes), in `image`
  Vec3 sideLobeAt{0, 0, 0};  // pixels from the centre
  double beyond = 0;         // share of the energy of `image` beyond the main lobe
};

// Throws Error; Cancelled.
PointSpread pointSpread(const Trajectory& trajectory, std::span<const double> weights, const Index3& matrix,
                        const ReconOptions& options, NufftBackend& backend, const Progress& progress);

// The point spread of a scan's selected samples with the options' density weights.
struct ScanSpread {
  PointSpread spread;   // its image in the scan's voxels, the centre where the scan's is
  std::string samples;  // which, in words
  std::string density;  // where the weights came from
};

// The first of options.frames. Throws Error; Cancelled.
ScanSpread scanPointSpread(const Scan& scan, const ReconOptions& options, NufftBackend& backend,
                           const Progress& progress);

// |p| in decibels, scaled for a picture: `floor` dB below 1 becomes 0, and 1 remains 1.
Image inDecibels(const Image& spread, double floor = 80);

// "FWHM 1.39 x 1.39 pixels, side lobes -17.1 dB, ..."
std::string describe(const PointSpread& spread, int dims);

}  // namespace spokelab
