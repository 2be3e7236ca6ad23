// Renders one plane of one frame, one pixel a voxel, through a colour table. It needs no widget, so
// that reports and headless runs use it, too. Safe from any thread.
#pragma once

#include <QImage>

#include "engine/scan/scan.h"
#include "widgets/core/colour_map.h"
#include "widgets/image/display/orientation.h"

namespace spokelab {

struct SliceRequest {
  int frame = 0;
  PlaneAxes axes;
  std::int64_t index = 0;  // along axes.through
  DisplayMode mode = DisplayMode::magnitude;
  DisplayWindow window;
  const ColourMap* map = nullptr;  // null: grey
};

// Null image where frame or index lie outside. Not-a-number and infinite voxels get
// ColourMap::invalidColour.
QImage renderSlice(const Image& image, const SliceRequest& request);

}  // namespace spokelab
