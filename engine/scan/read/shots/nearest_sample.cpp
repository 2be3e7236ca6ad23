#include "engine/scan/read/shots/nearest_sample.h"

namespace spokelab {

std::int64_t nearestSample(const Trajectory& t, std::int64_t shot, double radius) {
  double least = radius * radius;
  std::int64_t nearest = -1;
  for (std::int64_t j = t.shotOffsets[std::size_t(shot)]; j < t.shotOffsets[std::size_t(shot) + 1]; ++j) {
    double square = 0;
    for (std::int64_t d = 0; d < t.dims; ++d)
      square += t.points[std::size_t(j * t.dims + d)] * t.points[std::size_t(j * t.dims + d)];
    if (square <= least && (nearest < 0 || square < least)) least = square, nearest = j;
  }
  return nearest;
}

}  // namespace spokelab
