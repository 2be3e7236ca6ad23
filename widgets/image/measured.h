// Numbers of regions and lines in an image and, where there is one, in its reference.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/scan/check/region_metrics.h"
#include "widgets/image/display/measurement.h"

namespace spokelab {

struct RegionNumbers {
  int id = 0;
  RegionStatistics shown;
  std::optional<RegionStatistics> reference;
  std::vector<double> course;  // the mean magnitude of each frame, of a series
  double area = 0;             // mm²; mm³ if `solid`
  bool solid = false;          // the region has several slices
};

// Measurements of one pair of images; each part only where there is something to measure.
struct Measured {
  std::vector<RegionNumbers> regions;                // all that are in the image
  std::optional<RegionStatistics> shown, reference;  // of the current region
  std::optional<RegionComparison> comparison;        // likewise
  std::vector<cfloat> shownLine, referenceLine;
  double lineLength = 0;  // mm
  // The mean magnitude of the current region, else the magnitude of the pixel under the cursor, in
  // each frame. Both are empty for one frame, and if there is a line.
  std::vector<double> shownCourse, referenceCourse;
  double area = 0;     // of the current region
  bool solid = false;  // likewise
  // Why measuring failed, for the user. measure() leaves it empty: its caller fills it in.
  std::string problem;
};

struct MeasureRequest {
  std::shared_ptr<const Image> shown, reference;
  int frame = 0;
  std::vector<std::pair<int, ImageRegion>> regions;  // with their ids
  int current = 0;                                   // id
  std::optional<MeasuredLine> line;
  Index3 cursor{0, 0, 0};
};

// The shown image must not be null. Throws Error, for example for a region without a finite pixel
// in the image.
Measured measure(const MeasureRequest& request);

}  // namespace spokelab
