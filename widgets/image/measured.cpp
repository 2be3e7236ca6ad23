#include "widgets/image/measured.h"

#include <algorithm>
#include <cmath>

#include "widgets/image/display/orientation.h"
#include "widgets/image/time_course.h"

namespace spokelab {
namespace {

constexpr double pointsPerPixel = 2;  // of the line
constexpr int minPoints = 2, maxPoints = 4096;

RegionNumbers numbersOf(const MeasureRequest& request, int id, const ImageRegion& region, bool pair) {
  const Image& image = *request.shown;
  const Vec3 spacing = pixelAxes(image).spacing;
  RegionNumbers numbers;
  numbers.id = id;
  numbers.shown = regionStatistics(image, request.frame, region);
  if (pair) numbers.reference = regionStatistics(*request.reference, request.frame, region);
  numbers.course = timeCourse(image, region, request.cursor);
  const auto through = std::size_t(region.through);
  numbers.solid = region.low[through] != region.high[through];
  double cell = 1;
  for (std::size_t d = 0; d < 3; ++d)
    if (d != through || numbers.solid) cell *= spacing[d];
  numbers.area = cell * double(numbers.shown.count + numbers.shown.leftOut);
  return numbers;
}

void measureLine(const MeasureRequest& request, bool pair, Measured& m) {
  const MeasuredLine& line = *request.line;
  const Vec3 spacing = pixelAxes(*request.shown).spacing;
  double length = 0, mm = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double step = line.to[d] - line.from[d];
    length += step * step;
    mm += step * step * spacing[d] * spacing[d];
  }
  const int count = std::clamp(int(std::ceil(std::sqrt(length) * pointsPerPixel)) + 1, minPoints, maxPoints);
  m.lineLength = std::sqrt(mm);
  m.shownLine = lineProfile(*request.shown, request.frame, line.from, line.to, count);
  if (pair) m.referenceLine = lineProfile(*request.reference, request.frame, line.from, line.to, count);
}

}  // namespace

Measured measure(const MeasureRequest& request) {
  Measured m;
  const Image& image = *request.shown;
  const bool pair =
      request.reference && request.reference->size == image.size && request.reference->frames == image.frames;
  std::optional<ImageRegion> current;
  for (const auto& [id, region] : request.regions) {
    m.regions.push_back(numbersOf(request, id, region, pair));
    if (id != request.current) continue;
    const RegionNumbers& numbers = m.regions.back();
    current = region;
    m.shown = numbers.shown;
    m.reference = numbers.reference;
    m.area = numbers.area;
    m.solid = numbers.solid;
    m.shownCourse = numbers.course;
    if (pair) m.comparison = compareRegion(image, *request.reference, request.frame, region);
  }
  if (request.line) {
    m.shownCourse.clear();
    measureLine(request, pair, m);
    return m;
  }
  if (!current) m.shownCourse = timeCourse(image, std::nullopt, request.cursor);
  if (pair) m.referenceCourse = timeCourse(*request.reference, current, request.cursor);
  return m;
}

}  // namespace spokelab
