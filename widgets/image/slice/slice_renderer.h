// One plane of one frame as a picture of one pixel per voxel, by table look-up. Also the window that fits an
// image. No widget is needed: reports and headless runs use it too.
#pragma once

#include <QImage>

#include "engine/scan/scan.h"
#include "widgets/core/colour_map.h"
#include "widgets/image/orientation.h"

namespace spokelab {

struct SliceRequest {
  int frame = 0;
  PlaneAxes axes;
  std::int64_t index = 0;  // along axes.through
  DisplayMode mode = DisplayMode::magnitude;
  DisplayWindow window;
  const ColourMap* map = nullptr;  // null: grey
};

// Null image where frame or index lie outside. Not-a-number and infinite voxels get ColourMap::invalidColour.
QImage renderSlice(const Image& image, const SliceRequest& request);

// True where the image has voxels and holds as much data as it says.
bool isShowable(const Image* image);

// Magnitude: 0 to just above the 99.8th percentile of what is not zero; signed parts: the same on both sides
// of 0. Uses a sample of large images; not-a-number is left out. An image of zeros gives 0 ... 1.
DisplayWindows fittingWindows(const Image& image, int frame);

}  // namespace spokelab
