#include "engine/scan/read/description/match_axes.h"

#include <algorithm>
#include <array>

namespace spokelab {
namespace {

constexpr std::int64_t maxCoils = 256;
constexpr std::size_t maxMatches = 64;  // of equal sizes
constexpr std::size_t maxReadings = 16;

// The axes except `column`, outermost first, without axes of size 1.
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

// The innermost run of adjacent axes whose sizes multiply to `count`; empty: none.
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

using Names = std::vector<std::string>;

// Roles of the axes that are neither shots nor samples, the likeliest first. sizes: outwards.
std::vector<Names> possibleRoles(const std::vector<std::int64_t>& sizes) {
  constexpr std::int64_t maxEchoes = 8;  // a gradient echo train; more are slices, as a rule
  const bool few = sizes.size() < 2 || sizes[1] <= maxEchoes;
  std::vector<Names> ways;
  switch (sizes.size()) {
    case 0:
      return {{}};
    case 1:
      ways = {{"coil"}, {"slice"}, {"echo"}, {"time"}, {"partition"}};
      break;
    case 2:
      ways = {{"coil", few ? "echo" : "slice"},
              {"coil", few ? "slice" : "echo"},
              {"coil", "time"},
              {"coil", "partition"},
              {"slice", "coil"},
              {"partition", "coil"},
              {"echo", "coil"},
              {"time", "coil"},
              {"slice", "time"},
              {"slice", "echo"}};
      break;
    case 3:
      ways = {{"coil", few ? "echo" : "slice", "time"},
              {"coil", few ? "slice" : "echo", "time"},
              {"coil", "slice", "echo"},
              {"coil", "echo", "slice"},
              {"coil", "time", "slice"},
              {"coil", "partition", "time"},
              {"coil", "partition", "echo"},
              {"slice", "coil", "time"},
              {"slice", "coil", "echo"},
              {"partition", "coil", "time"},
              {"partition", "coil", "echo"},
              {"echo", "coil", "time"},
              {"slice", "echo", "coil"},
              {"echo", "slice", "coil"}};
      break;
    case 4:
      ways = {{"coil", "echo", "slice", "time"},
              {"coil", "slice", "echo", "time"},
              {"coil", "partition", "echo", "time"},
              {"slice", "coil", "echo", "time"},
              {"partition", "coil", "echo", "time"}};
      break;
    default:
      break;
  }
  std::erase_if(ways, [&](const Names& way) {
    for (std::size_t i = 0; i < way.size(); ++i)
      if (way[i] == "coil" && sizes[i] > maxCoils) return true;
    return false;
  });
  return ways;
}

// Namings of all axes, if `match` says which ones are shots and sample (its last).
std::vector<Names> namesFor(const ArrayHeader& h, const std::vector<std::size_t>& axes, const Match& match) {
  Names points(h.shape.size(), "one");
  for (std::size_t i = 0; i < match.size(); ++i)
    points[axes[match[i]]] = i + 1 == match.size() ? "sample" : "shot";
  const std::size_t last = *std::max_element(match.begin(), match.end());
  std::vector<std::size_t> rest;  // nearest to the points first
  const auto isRest = [&](std::size_t at) {
    return std::find(match.begin(), match.end(), at) == match.end();
  };
  for (std::size_t at = last; at-- > 0;)
    if (isRest(at)) rest.push_back(axes[at]);
  for (std::size_t at = last + 1; at < axes.size(); ++at) rest.push_back(axes[at]);
  std::vector<std::int64_t> sizes;
  for (const std::size_t axis : rest) sizes.push_back(h.shape[axis]);
  std::vector<Names> all;
  for (const Names& way : possibleRoles(sizes)) {
    Names& names = all.emplace_back(points);
    for (std::size_t i = 0; i < rest.size(); ++i) names[rest[i]] = way[i];
  }
  return all;
}

// A measure of the distance of the matched axes from being the innermost ones side by side: axes
// between them count more than axes inside them.
std::size_t looseness(const Match& match, std::size_t axes) {
  const auto [first, last] = std::minmax_element(match.begin(), match.end());
  return (*last - *first + 1 - match.size()) * axes + (axes - 1 - *last);
}

}  // namespace

std::vector<int> columnAxes(const ArrayHeader& h) {
  constexpr std::int64_t minColumns = 2, maxColumns = 4;
  if (h.shape.size() < 2) return {};
  const std::vector<std::size_t> axes = outermostFirst(h);
  std::vector<int> possible;
  for (const std::size_t axis : {axes.back(), axes.front()})
    if (h.shape[axis] >= minColumns && h.shape[axis] <= maxColumns) possible.push_back(int(axis));
  return possible;
}

int columnAxis(const ArrayHeader& h) {
  const std::vector<int> possible = columnAxes(h);
  return possible.empty() ? -1 : possible.front();
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

bool isTurned(const PointSizes& own, const PointSizes& points) {
  return own.sizes.size() == 2 && points.sizes.size() == 2 && own.sizes[0] != own.sizes[1] &&
         own.sizes[0] == points.sizes[1] && own.sizes[1] == points.sizes[0];
}

std::vector<std::string> bartAxes(const ArrayHeader& h, bool trajectory) {
  constexpr std::array<const char*, 16> names = {"one", "sample", "shot",    "coil", "",     "echo",
                                                 "",    "",       "",        "",     "time", "phase",
                                                 "",    "slice",  "average", "set"};
  if (!h.firstAxisInnermost || h.shape.size() < 2 || h.shape.size() > names.size()) return {};
  if (trajectory ? h.shape[0] < 2 || h.shape[0] > 4 : h.shape[0] != 1) return {};
  Names result;
  for (std::size_t axis = 0; axis < h.shape.size(); ++axis) {
    const std::string name = axis == 0 && trajectory ? "column" : names[axis];
    if (h.shape[axis] > 1 && (name.empty() || (trajectory && name == "coil"))) return {};
    result.push_back(h.shape[axis] > 1 || axis < 3 ? name : "one");
  }
  return result;
}

int partAxis(const ArrayHeader& h) {
  if (h.shape.size() < 2 || isComplex(h.type)) return -1;
  const std::vector<std::size_t> axes = outermostFirst(h);
  for (const std::size_t axis : {axes.back(), axes.front()})
    if (h.shape[axis] == 2) return int(axis);
  return -1;
}

SampleAxes sampleAxes(const ArrayHeader& h, const PointSizes& points, int part) {
  const std::vector<std::size_t> axes = otherAxes(h, part);
  std::vector<std::int64_t> sizes;
  for (const std::size_t axis : axes) sizes.push_back(h.shape[axis]);
  std::vector<Match> matches;
  if (!points.sizes.empty()) {
    Match match;
    findInOrder(sizes, points.sizes, 0, match, matches);
    if (points.sizes.size() == 2) {
      std::vector<Match> turned;
      findInOrder(sizes, {points.sizes[1], points.sizes[0]}, 0, match, turned);
      for (Match& m : turned) std::reverse(m.begin(), m.end());
      // With as many shots as samples both orders fit: the trajectory's is tried first.
      matches.insert(matches.end(), turned.begin(), turned.end());
    }
  }
  if (matches.empty()) {
    matches = findProducts(sizes, points.count);
    // A list of points does not tell which of two axes is shots: both namings are offered.
    if (!matches.empty() && matches.front().size() == 2) {
      matches.push_back(matches.front());
      std::reverse(matches.back().begin(), matches.back().end());
    }
  }
  std::stable_sort(matches.begin(), matches.end(), [&](const Match& a, const Match& b) {
    return looseness(a, axes.size()) < looseness(b, axes.size());
  });
  SampleAxes result;
  for (const Match& match : matches)
    for (Names& names : namesFor(h, axes, match)) {
      if (part >= 0) names[std::size_t(part)] = "complex";
      if (result.names.empty())
        result.names = std::move(names);
      else if (names != result.names && result.others.size() < maxReadings &&
               std::find(result.others.begin(), result.others.end(), names) == result.others.end())
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
