// Points that are all pairs of two lists: (a_j, b_l) with b the last coordinate.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace spokelab {

struct SeparablePoints {
  std::vector<double> first;  // a: [count, dims - 1]
  std::vector<double> last;   // b
  // Point (j, l) is at j + count l, else at l + (number of b) j.
  bool firstFastest = true;

  std::int64_t firstCount(int dims) const { return std::int64_t(first.size()) / (dims - 1); }
};

// points: [M, dims], dims >= 2. Nothing where they are not such pairs, in one of the two orders, or
// where each list has at most one point.
std::optional<SeparablePoints> separablePoints(std::span<const double> points, int dims);

}  // namespace spokelab
