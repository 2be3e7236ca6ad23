#include "engine/scan/read/places/described_slices.h"

#include "engine/scan/place/slice_lines.h"

namespace spokelab {

std::vector<int> slicesInArray(const ScanDescription& s, std::int64_t slices, std::vector<int> byPosition) {
  if (slices < 2 || std::int64_t(s.positions.size()) != slices) return byPosition;
  std::vector<SlicePlace> places;
  for (const Vec3& position : s.positions) {
    SlicePlace& place = places.emplace_back();
    place.position = position;
    if (s.directions) place.directions = {(*s.directions)[0], (*s.directions)[1], (*s.directions)[2]};
  }
  std::vector<std::size_t> order;
  for (const auto& line : slicesInLines(places, {})) order.insert(order.end(), line.begin(), line.end());
  for (int& n : byPosition) n = int(order[std::size_t(n)]);
  return byPosition;
}

}  // namespace spokelab
