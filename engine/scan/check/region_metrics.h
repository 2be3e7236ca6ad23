// Measures of a part of an image: statistics, distance from a reference, values along a line.
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

// A box of pixels, low to high inclusive along x, y, z; or the ellipse that fills its two axes
// beside `through`.
struct ImageRegion {
  Index3 low{0, 0, 0}, high{0, 0, 0};
  bool ellipse = false;
  int through = 2;

  bool contains(const Index3& index) const;
  bool operator==(const ImageRegion&) const = default;
};

// Pixels that are not finite are left out. Deviations are of a sample (n - 1); not-a-number where
// there are too few.
struct RegionStatistics {
  std::int64_t count = 0, leftOut = 0;
  cdouble mean{0, 0};
  double deviation = 0;  // of each of real and imaginary part: sqrt(sum |m - mean|^2 / (2 (n - 1)))
  double magnitudeMean = 0, magnitudeDeviation = 0;
  double smallest = 0, largest = 0;  // magnitudes
  double snr = 0;                    // magnitudeMean / magnitudeDeviation
  double complexSnr = 0;             // |mean| / deviation
};

// Throws Cancelled, and Error if the region has no pixel of the image or the frame does not exist.
RegionStatistics regionStatistics(const Image& image, int frame, const ImageRegion& region,
                                  const Progress& progress = {});

// s: the least-squares scale of the whole frame, as in the difference that is shown.
struct RegionComparison {
  cdouble scale{1, 0};
  double nrmse = 0;  // |s a - b| / |b| over the region; not-a-number where b is zero
  // Structural similarity of |s a| and |b|, mean over the region. Wang, Bovik, Sheikh, Simoncelli,
  // IEEE Trans. Image Process. 13, 600 (2004): Gaussian window 11 x 11, sigma 1.5, K1 = 0.01, K2 =
  // 0.03, in each plane normal to `through`; cut off and normalised again at the image's edge. The
  // dynamic range is the largest |b| of the frame.
  double ssim = 0;
};
// Compares magnitudes if either image holds magnitudes, as nrmse() of compare_images.h. Throws
// Cancelled, and Error if sizes differ or the region is empty.
RegionComparison compareRegion(const Image& image, const Image& reference, int frame,
                               const ImageRegion& region, const Progress& progress = {});

// Trilinear between pixel centres, `count` points from `from` to `to` (pixel numbers, both ends
// included); not-a-number outside the image.
std::vector<cfloat> lineProfile(const Image& image, int frame, const Vec3& from, const Vec3& to, int count);

}  // namespace spokelab
