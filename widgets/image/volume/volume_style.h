// The style of a volume: the largest value on each ray, the opacity of a curve, or the surface at
// one level; and the box to which the volume is cut. Values of the curve are shares of the window
// (0 black, 1 white), edges are shares of the volume's sides.
#pragma once

#include <QString>

#include <array>
#include <vector>

namespace spokelab {

enum class VolumeMode { maximum, opacity, surface };

struct OpacityPoint {
  double value = 0, opacity = 0;  // of one voxel; both 0 ... 1
  bool operator==(const OpacityPoint&) const = default;
};

struct VolumeStyle {
  VolumeMode mode = VolumeMode::maximum;
  // Ascending values. At first none in the darkest part of the window (air, noise), then a slow and
  // a steep rise.
  std::vector<OpacityPoint> opacity{{0, 0}, {0.2, 0}, {0.6, 0.15}, {1, 0.6}};
  double level = 0;  // of the surface, a magnitude; 0: a share of the image's own window
  std::array<double, 6> clip{0, 1, 0, 1, 0, 1};  // from, to along x, y, z of the array

  bool clips() const { return clip != std::array<double, 6>{0, 1, 0, 1, 0, 1}; }
  bool operator==(const VolumeStyle&) const = default;
};

// For sessions; a text that cannot be read, or has no sense, gives `otherwise`.
QString volumeStyleText(const VolumeStyle& style);
VolumeStyle volumeStyleFromText(const QString& text, const VolumeStyle& otherwise);

}  // namespace spokelab
