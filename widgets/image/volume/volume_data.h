// The magnitude of one frame, reduced for the volume view: 12-bit values on a grid small enough to
// be rendered at each step of a turn. Runs on a worker thread; knows neither Qt widgets nor VTK.
#pragma once

#include <memory>
#include <vector>

#include "engine/scan/scan.h"
#include "widgets/image/display/orientation.h"

namespace spokelab {

struct VolumeData {
  static constexpr int levels = 4096;

  Index3 size{0, 0, 0};   // of the reduced grid, x fastest
  Vec3 spacing{1, 1, 1};  // mm, of the reduced voxels
  PixelAxes axes;         // of the image; its origin moved to the centre of the first reduced voxel
  std::vector<std::uint16_t> values;  // magnitude / step, rounded and clamped to levels - 1
  double step = 1;                    // magnitude of one level
  Index3 blocks{1, 1, 1};             // image voxels averaged into one, along each axis
};

// Averages blocks until at most `maximumVoxels` are left. `high`: the magnitude that must not be
// clamped; larger ones may be. Voxels that are not finite count as zero.
VolumeData reduceVolume(const Image& image, int frame, std::int64_t maximumVoxels, double high);

}  // namespace spokelab
