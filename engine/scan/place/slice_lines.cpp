#include "engine/scan/place/slice_lines.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "engine/scan/place/vectors.h"

namespace spokelab {
namespace {

using Numbers = std::vector<std::size_t>;

// Distance that other directions may move a corner of the slice, mm.
double turnedBy(const Directions& a, const Directions& b, const Vec3& fov) {
  return lengthOf(minus(a.read, b.read)) * fov[0] / 2 + lengthOf(minus(a.phase, b.phase)) * fov[1] / 2 +
         lengthOf(minus(a.slice, b.slice)) * fov[2] / 2;
}

// A slice's centre along its own axes.
Vec3 alongAxes(const SlicePlace& place) {
  return {dot(place.position, place.directions.read), dot(place.position, place.directions.phase),
          dot(place.position, place.directions.slice)};
}

template <class Same>
std::vector<Numbers> clusters(const Numbers& all, const Same& same) {
  std::vector<Numbers> found;
  for (const std::size_t i : all) {
    const auto known =
        std::find_if(found.begin(), found.end(), [&](const Numbers& c) { return same(c.front(), i); });
    if (known == found.end())
      found.push_back({i});
    else
      known->push_back(i);
  }
  return found;
}

bool runsEvenly(const std::vector<SlicePlace>& places, const Numbers& order, std::size_t first,
                std::size_t last) {
  if (first == last) return true;
  const Vec3 &begin = places[order[first]].position, &end = places[order[last]].position;
  const auto steps = double(last - first);
  if (!(lengthOf(minus(end, begin)) / steps > maxMisplacedMm)) return false;
  for (std::size_t i = first + 1; i < last; ++i) {
    const Vec3 expected = along(begin, double(i - first) / steps, minus(end, begin));
    if (lengthOf(minus(places[order[i]].position, expected)) > maxMisplacedMm) return false;
  }
  return true;
}

// Lines, minus the sum of squared lengths, sum of extents: smaller is better.
using Cost = std::tuple<double, double, double>;

// The best division of `order` into runs.
std::vector<Numbers> evenRuns(const std::vector<SlicePlace>& places, const Numbers& order) {
  const std::size_t n = order.size();
  std::vector<Cost> cost(n + 1, Cost{HUGE_VAL, 0, 0});
  std::vector<std::size_t> from(n + 1, 0);
  cost[0] = {0, 0, 0};
  for (std::size_t first = 0; first < n; ++first)
    for (std::size_t last = first; last < n && runsEvenly(places, order, first, last); ++last) {
      const auto count = double(last - first + 1);
      const auto [lines, squares, extents] = cost[first];
      const double extent = lengthOf(minus(places[order[last]].position, places[order[first]].position));
      const Cost now{lines + 1, squares - count * count, extents + extent};
      if (now < cost[last + 1]) {
        cost[last + 1] = now;
        from[last + 1] = first;
      }
    }
  std::vector<Numbers> runs;
  for (std::size_t end = n; end > 0; end = from[end])
    runs.insert(runs.begin(),
                Numbers(order.begin() + std::ptrdiff_t(from[end]), order.begin() + std::ptrdiff_t(end)));
  return runs;
}

void sortAlongNormal(const std::vector<SlicePlace>& places, Numbers& numbers) {
  const auto key = [&](std::size_t i) {
    const Vec3 p = alongAxes(places[i]);
    return std::tuple(p[2], p[1], p[0]);
  };
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
}

// Slices of a stack that was measured several times, each time apart.
std::vector<Numbers> layersOf(const std::vector<SlicePlace>& places, const Numbers& stack) {
  std::vector<Numbers> layers;
  for (const Numbers& same : clusters(stack, [&](std::size_t a, std::size_t b) {
         return lengthOf(minus(places[a].position, places[b].position)) <= maxMisplacedMm;
       }))
    for (std::size_t i = 0; i < same.size(); ++i) {
      if (i == layers.size()) layers.emplace_back();
      layers[i].push_back(same[i]);
    }
  return layers;
}

void addLines(const std::vector<SlicePlace>& places, const Numbers& parallel, std::vector<Numbers>& lines) {
  if (runsEvenly(places, parallel, 0, parallel.size() - 1)) {
    lines.push_back(parallel);
    return;
  }
  // Stacks beside each other first; what is left over may be a stack whose slices are shifted.
  Numbers shifted;
  for (Numbers& stack : clusters(parallel, [&](std::size_t a, std::size_t b) {
         const Vec3 p = alongAxes(places[a]), q = alongAxes(places[b]);
         return std::hypot(p[0] - q[0], p[1] - q[1]) <= maxMisplacedMm;
       })) {
    if (stack.size() == 1) {
      shifted.push_back(stack.front());
      continue;
    }
    for (Numbers& layer : layersOf(places, stack)) {
      sortAlongNormal(places, layer);
      for (Numbers& run : evenRuns(places, layer)) lines.push_back(std::move(run));
    }
  }
  if (shifted.empty()) return;
  sortAlongNormal(places, shifted);
  for (Numbers& run : evenRuns(places, shifted)) lines.push_back(std::move(run));
}

}  // namespace

bool samePlace(const SlicePlace& a, const SlicePlace& b, const Vec3& fov) {
  return lengthOf(minus(a.position, b.position)) + turnedBy(a.directions, b.directions, fov) <=
         maxMisplacedMm;
}

std::vector<std::vector<std::size_t>> slicesInLines(const std::vector<SlicePlace>& places, const Vec3& fov) {
  Numbers all(places.size());
  std::iota(all.begin(), all.end(), std::size_t(0));
  std::vector<Numbers> lines;
  for (const Numbers& parallel : clusters(all, [&](std::size_t a, std::size_t b) {
         return turnedBy(places[a].directions, places[b].directions, fov) <= maxMisplacedMm;
       }))
    addLines(places, parallel, lines);
  std::stable_sort(lines.begin(), lines.end(), [](const Numbers& a, const Numbers& b) {
    return *std::min_element(a.begin(), a.end()) < *std::min_element(b.begin(), b.end());
  });
  return lines;
}

std::string planeName(const Directions& d) {
  const Vec3 normal = cross(d.read, d.phase);
  const auto across = [&](std::size_t axis) { return std::abs(normal[axis]); };
  if (across(2) >= across(0) && across(2) >= across(1)) return "axial";
  return across(1) >= across(0) ? "coronal" : "sagittal";
}

}  // namespace spokelab
