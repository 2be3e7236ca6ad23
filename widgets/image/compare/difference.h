// The difference that the workbench shows between an image a and a reference b ([formulas],
// metrics):
//   d = s a - b,  s = sum conj(a) b / sum |a|^2 (the least-squares scale),  NRMSE = |d| / |b|.
// For display; each frame has its own scale. Voxels that are not finite in either are left out of s
// and stay NaN. Where one image holds magnitudes alone (compare_images.h), magnitudes are
// compared.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <QString>

#include "engine/scan/scan.h"

namespace spokelab {

struct Difference {
  std::shared_ptr<const Image> image;  // s a - b, geometry of b
  double nrmse = 0;                    // over all frames; NaN where b is zero everywhere
  bool magnitudes = false;             // d is s |a| - |b|
  std::vector<cdouble> scales;         // s of each frame
};

// Null image where the two do not match in frames and size.
Difference differenceImage(const Image& image, const Image& reference);
// The difference of magnitudes: s |a| - |b|, signed, in the real part; s fits the magnitudes.
Difference magnitudeDifference(const Image& image, const Image& reference);

// s a, to show both images at one window. Null where s of every frame is 0 or within 0.005 of 1,
// which nobody would see: show `image` itself then.
std::shared_ptr<const Image> scaledImage(const Image& image, const std::vector<cdouble>& scales);

using DifferenceFunction = std::function<Difference(const Image& image, const Image& reference)>;

// The reason, for the user, why two images cannot be compared; empty: they can. Null is allowed.
QString differenceObstacle(const Image* image, const Image* reference);

}  // namespace spokelab
