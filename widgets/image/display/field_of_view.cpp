#include "widgets/image/display/field_of_view.h"

#include <algorithm>
#include <cmath>

namespace spokelab {

bool sameField(const Image& a, const Image& b) {
  if (a.size == b.size) return a.frames == b.frames;
  constexpr double slackMm = 1e-6;  // mm
  for (std::size_t d = 0; d < 3; ++d)
    if (std::abs(a.geometry.fov[d] - b.geometry.fov[d]) > slackMm || (a.size[d] == 1) != (b.size[d] == 1))
      return false;
  return a.geometry.readDirection == b.geometry.readDirection &&
         a.geometry.phaseDirection == b.geometry.phaseDirection;
}

std::int64_t rescaledIndex(std::int64_t index, std::int64_t from, std::int64_t to) {
  if (from == to) return index;
  const double offset = double(index - from / 2) * double(to) / double(from);
  return std::clamp<std::int64_t>(to / 2 + std::llround(offset), 0, to - 1);
}

}  // namespace spokelab
