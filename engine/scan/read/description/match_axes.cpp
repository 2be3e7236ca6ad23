#include "engine/scan/read/description/match_axes.h"

#include <algorithm>

namespace spokelab {
namespace {

constexpr std::int64_t maxCoils = 256;
constexpr std::size_t maxMatches = 64;  // of equal sizes

// The axes but `column`, outermost first, without those of size 1.
std::vector<std::size_t> otherAxes(const ArrayHeader& h, int column) {
  std::vector<std::size_t> axes;
  for (const std::size_t axis : outermostFirst(h))
    if (int(axis) != column && h.shape[axis] > 1) axes.push_back(axis);
  return axes;
}

using Match = std::vector<std::size_t>;  // positions in a list of axes, one for each size

// All ways to find `sizes` among the sizes of the axes, in their order.
void findInOrder(const std::vector<std::int64_t>& axisSizes, const std::vector<std::int64_t>& sizes,
                 std::size_t from, Match& match, std::vector<Match>& found) {
  if (match.size() == sizes.size()) {
    found.push_back(match);
    return;
  }
  for (std::size_t at = from; at < axisSizes.size() && found.size() < maxMatches; ++at) {
    if (axisSizes[at] != sizes[match.size()]) continue;
    match.push_back(at);
    findInOrder(axisSizes, sizes, at + 1, match, found);
    match.pop_back();
  }
}

// Neighbours that multiply to the points, the innermost first.
std::vector<Match> findProducts(const std::vector<std::int64_t>& axisSizes, std::int64_t count) {
  for (std::size_t end = axisSizes.size(); end > 0; --end) {
    std::int64_t product = 1;
    Match match;
    for (std::size_t begin = end; begin-- > 0;) {
      product *= axisSizes[begin];
      match.insert(match.begin(), begin);
      if (product == count) return {match};
    }
  }
  return {};
}

// Empty where there are more other axes than roles for them.
std::vector<std::string> namesFor(const ArrayHeader& h, const std::vector<std::size_t>& axes,
                                  const Match& match) {
  std::vector<std::string> names(h.shape.size(), "one");
  for (std::size_t i = 0; i < match.size(); ++i)
    names[axes[match[i]]] = i + 1 == match.size() ? "sample" : "shot";
  const std::size_t last = *std::max_element(match.begin(), match.end());
  std::vector<std::size_t> rest;  // nearest to the points first
  const auto isRest = [&](std::size_t at) {
    return std::find(match.begin(), match.end(), at) == match.end();
  };
  for (std::size_t at = last; at-- > 0;)
    if (isRest(at)) rest.push_back(axes[at]);
  for (std::size_t at = last + 1; at < axes.size(); ++at) rest.push_back(axes[at]);
  const std::vector<std::string> roles = {"coil", "slice", "frame"};
  std::size_t role = rest.empty() || h.shape[rest.front()] <= maxCoils ? 0 : 2;
  if (rest.size() > roles.size() - role) return {};
  for (const std::size_t axis : rest) names[axis] = roles[role++];
  return names;
}

// How far the matched axes are from being the innermost ones, side by side.
std::size_t looseness(const Match& match, std::size_t axes) {
  const auto [first, last] = std::minmax_element(match.begin(), match.end());
  return (*last - *first + 1 - match.size()) * axes + (axes - 1 - *last);
}

}  // namespace

int columnAxis(const ArrayHeader& h) {
  constexpr std::int64_t minColumns = 2, maxColumns = 4;
  if (h.shape.size() < 2) return -1;
  const std::vector<std::size_t> axes = outermostFirst(h);
  for (const std::size_t axis : {axes.back(), axes.front()})
    if (h.shape[axis] >= minColumns && h.shape[axis] <= maxColumns) return int(axis);
  return -1;
}

PointSizes pointSizes(const ArrayHeader& h, int column) {
  PointSizes p;
  for (const std::size_t axis : otherAxes(h, column)) {
    p.sizes.push_back(h.shape[axis]);
    p.count *= h.shape[axis];
  }
  return p;
}

std::vector<std::string> trajectoryAxes(const ArrayHeader& h, int column) {
  std::vector<std::string> names(h.shape.size(), "one");
  if (column >= 0) names[std::size_t(column)] = "column";
  const std::vector<std::size_t> axes = otherAxes(h, column);
  for (std::size_t i = 0; i < axes.size(); ++i) names[axes[i]] = i + 1 == axes.size() ? "sample" : "shot";
  return names;
}

SampleAxes sampleAxes(const ArrayHeader& h, const PointSizes& points) {
  const std::vector<std::size_t> axes = otherAxes(h, -1);
  std::vector<std::int64_t> sizes;
  for (const std::size_t axis : axes) sizes.push_back(h.shape[axis]);
  std::vector<Match> matches;
  if (!points.sizes.empty()) {
    Match match;
    findInOrder(sizes, points.sizes, 0, match, matches);
    if (matches.empty() && points.sizes.size() == 2) {
      findInOrder(sizes, {points.sizes[1], points.sizes[0]}, 0, match, matches);
      for (Match& turned : matches) std::reverse(turned.begin(), turned.end());
    }
  }
  if (matches.empty()) matches = findProducts(sizes, points.count);
  std::stable_sort(matches.begin(), matches.end(), [&](const Match& a, const Match& b) {
    return looseness(a, axes.size()) < looseness(b, axes.size());
  });
  SampleAxes result;
  for (const Match& match : matches) {
    std::vector<std::string> names = namesFor(h, axes, match);
    if (names.empty()) continue;
    if (result.names.empty())
      result.names = std::move(names);
    else
      result.others.push_back(std::move(names));
  }
  return result;
}

std::vector<std::int64_t> bareShape(std::int64_t elements, const PointSizes& points) {
  const std::int64_t coils = elements / points.count;
  if (elements % points.count != 0 || coils > maxCoils) return {};
  std::vector<std::int64_t> shape = {1};
  shape.insert(shape.end(), points.sizes.rbegin(), points.sizes.rend());
  shape.push_back(coils);
  return shape;
}

}  // namespace spokelab
