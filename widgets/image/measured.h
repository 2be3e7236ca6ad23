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
  double area = 0;             // mm² (mm³ where it has several slices)
  bool solid = false;          // it has
};

// Measurements of one pair of images; each part only where there is something to measure.
struct Measured {
  std::vector<RegionNumbers> regions;                // all that are in the image
  std::optional<RegionStatistics> shown, reference;  // of the current region
  std::optional<RegionComparison> comparison;        // likewise
  std::vector<cfloat> shownLine, referenceLine;
  double lineLength = 0;  // mm
  // A value a frame: the mean magnitude of the current region, or the magnitude of the pixel.
  std::vector<double> shownCourse, referenceCourse;
  double area = 0;     // of the current region
  bool solid = false;  // likewise
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

// Throws Error.
Measured measure(const MeasureRequest& request);

}  // namespace spokelab
