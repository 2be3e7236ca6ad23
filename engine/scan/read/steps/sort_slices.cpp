#include "engine/scan/read/steps/sort_slices.h"

#include <algorithm>

#include "engine/core/text.h"
#include "engine/scan/place/vectors.h"
#include "engine/scan/read/places/head_place.h"

namespace spokelab {
namespace {

using ShotList = std::vector<std::size_t>;  // positions in Selection::imaging

const AcquisitionHead& headAt(std::size_t position, const Selection& s,
                              const std::vector<AcquisitionHead>& heads) {
  return heads[std::size_t(s.imaging[position])];
}

// The slice's place in the first frame that has it.
SlicePlace placeOfSlice(const Groups& groups, std::size_t slice, const Selection& s,
                        const std::vector<AcquisitionHead>& heads) {
  for (const auto& frame : groups.lines)
    if (!frame[slice].empty()) return placeOf(headAt(frame[slice].front(), s, heads)).place;
  return {};
}

// Shots of a slice of a frame, place by place, in the order of their first shots.
std::vector<ShotList> byPlace(const ShotList& lines, const Selection& s,
                              const std::vector<AcquisitionHead>& heads, const Vec3& fov) {
  constexpr std::size_t maxPlaces = 4096;  // beyond it the place follows something else than slices
  std::vector<ShotList> found;
  std::vector<SlicePlace> places;
  for (const std::size_t line : lines) {
    const SlicePlace place = placeOf(headAt(line, s, heads)).place;
    const auto same = [&](const SlicePlace& other) { return samePlace(other, place, fov); };
    auto at = std::size_t(std::find_if(places.begin(), places.end(), same) - places.begin());
    if (at == places.size() && found.size() == maxPlaces) at = maxPlaces - 1;
    if (at == places.size()) {
      places.push_back(place);
      found.emplace_back();
    }
    found[at].push_back(line);
  }
  return found;
}

std::string orderText(const std::vector<int>& counters, const std::vector<SlicePlace>& places) {
  constexpr std::size_t maxShown = 16;
  constexpr int digits = 4;
  std::string text;
  for (std::size_t z = 0; z < std::min(maxShown, places.size()); ++z) {
    const Vec3& p = places[z].position;
    text += (z ? "; " : "") + std::to_string(counters[z]) + " at " +
            numberText(dot(p, places[z].directions.slice), digits);
  }
  return text + (places.size() > maxShown ? "; ..." : "");
}

}  // namespace

void splitByPlace(Groups& groups, const Selection& s, const std::vector<AcquisitionHead>& heads,
                  const ImageSpace& space, Decisions& d) {
  constexpr std::size_t minShots = 2;  // of a slice; fewer at a place are motion, or a table that moves
  std::vector<std::vector<std::vector<ShotList>>> split;  // [frame][slice][place]
  std::size_t most = 1, fewest = heads.size();
  bool alike = true;
  for (const auto& frame : groups.lines) {
    split.emplace_back();
    for (const ShotList& slice : frame) {
      if (slice.empty()) return;  // a measurement that was stopped
      const auto& places = split.back().emplace_back(byPlace(slice, s, heads, space.fov));
      alike = alike && places.size() == split.front()[split.back().size() - 1].size();
      most = std::max(most, places.size());
      for (const ShotList& place : places) fewest = std::min(fewest, place.size());
    }
  }
  if (most < 2) {
    if (!d.override("slice-places").empty())
      d.decide("slice-places", "counter", "all shots of a slice lie at one place", {"counter", "position"});
    return;
  }
  const std::string places = "shots of one slice counter lie at " +
                             countText(std::int64_t(most), "place", "places") + " in the patient";
  if (!alike || fewest < minShots) {
    d.warn("The " + places + ": slices are drawn where their first shots lie");
    return;
  }
  if (d.decide("slice-places", "position", places, {"position", "counter"}, true) != "position") {
    d.warn("The " + places + ": slices are drawn where their first shots lie");
    return;
  }
  std::vector<int> counters;
  for (std::size_t z = 0; z < split.front().size(); ++z)
    counters.insert(counters.end(), split.front()[z].size(), groups.sliceCounters[z]);
  for (std::size_t f = 0; f < split.size(); ++f) {
    groups.lines[f].clear();
    for (auto& slice : split[f])
      for (ShotList& place : slice) groups.lines[f].push_back(std::move(place));
  }
  groups.sliceCounters = std::move(counters);
}

void sortSlices(Groups& groups, const Selection& s, const std::vector<AcquisitionHead>& heads,
                const ImageSpace& space, Decisions& d) {
  const std::size_t slices = groups.lines.front().size();
  if (slices < 2) return;
  std::vector<SlicePlace> places;
  for (std::size_t z = 0; z < slices; ++z) places.push_back(placeOfSlice(groups, z, s, heads));
  const auto apart = [&](const SlicePlace& p) { return !samePlace(p, places.front(), space.fov); };
  if (std::none_of(places.begin(), places.end(), apart)) return;
  std::vector<std::size_t> order;
  for (const auto& line : slicesInLines(places, space.fov))
    order.insert(order.end(), line.begin(), line.end());
  const bool sorted = std::is_sorted(order.begin(), order.end());
  for (auto& frame : groups.lines) {
    std::vector<ShotList> moved;
    for (const std::size_t z : order) moved.push_back(std::move(frame[z]));
    frame = std::move(moved);
  }
  std::vector<int> counters;
  std::vector<SlicePlace> placed;
  for (const std::size_t z : order) {
    counters.push_back(groups.sliceCounters[z]);
    placed.push_back(places[z]);
  }
  groups.sliceCounters = counters;
  d.note("slice-order", sorted ? "as counted" : "by position",
         "counter, and position along the slice direction in mm: " + orderText(counters, placed));
}

}  // namespace spokelab
