#include "engine/recon/ranks/rank_places.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace spokelab {
namespace {

struct SentPlace {
  Directions directions;
  Vec3 position{};
};

SentPlace placeFrom(const nlohmann::json& j) {
  return {{j.at(0).get<Vec3>(), j.at(1).get<Vec3>(), j.at(2).get<Vec3>()}, j.at(3).get<Vec3>()};
}

void setSlicePlaces(Geometry& g, const std::vector<SentPlace>& places) {
  g.slicePositions.clear();
  g.sliceDirections.clear();
  bool alike = true;
  for (const SentPlace& place : places) {
    g.slicePositions.push_back(place.position);
    g.sliceDirections.push_back(place.directions);
    alike = alike && place.directions == places.front().directions;
  }
  if (!places.empty()) g.setDirections(places.front().directions);
  if (alike) g.sliceDirections.clear();
}

}  // namespace

nlohmann::json placesOf(const Geometry& part, int frames) {
  nlohmann::json frameList = nlohmann::json::array();
  for (int f = 0; f < frames; ++f) {
    const Geometry& g = part.ofFrame(f);
    nlohmann::json& frame = frameList.emplace_back(nlohmann::json::array());
    for (std::size_t z = 0; z < g.slicePositions.size(); ++z) {
      const Directions d = g.directionsOf(z);
      frame.push_back({d.read, d.phase, d.slice, g.slicePositions[z]});
    }
  }
  return frameList;
}

void takePlaces(const std::vector<nlohmann::json>& places, const std::vector<std::vector<int>>& numbers,
                bool ofFrames, Geometry& whole) {
  std::size_t all = 0;
  for (const std::vector<int>& part : numbers) all += part.size();
  const std::size_t frames = ofFrames ? all : places.front().size();
  if (frames == 0) return;
  std::vector<std::vector<SentPlace>> table(frames);
  for (std::size_t r = 0; r < places.size(); ++r)
    for (std::size_t f = 0; f < places[r].size(); ++f)
      for (std::size_t z = 0; z < places[r][f].size(); ++z) {
        std::vector<SentPlace>& frame = table[ofFrames ? std::size_t(numbers[r][f]) : f];
        const std::size_t slice = ofFrames ? z : std::size_t(numbers[r][z]);
        frame.resize(std::max(frame.size(), slice + 1));
        frame[slice] = placeFrom(places[r][f][z]);
      }
  std::vector<Geometry> each(frames, whole);
  for (std::size_t f = 0; f < frames; ++f) {
    each[f].frames.clear();
    setSlicePlaces(each[f], table[f]);
  }
  whole = each.front();
  for (std::size_t f = 1; f < frames; ++f)
    if (!(each[f] == each.front())) {
      whole.frames = std::move(each);
      return;
    }
}

}  // namespace spokelab
