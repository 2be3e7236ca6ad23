#include "engine/nufft/plan/many/separable_points.h"

#include <algorithm>

namespace spokelab {
namespace {

struct PointTable {
  std::span<const double> all;
  std::size_t dims;

  std::size_t count() const { return all.size() / dims; }
  double last(std::size_t j) const { return all[j * dims + dims - 1]; }
  std::span<const double> first(std::size_t j) const { return all.subspan(j * dims, dims - 1); }
  bool sameFirst(std::size_t i, std::size_t j) const {
    return std::equal(first(i).begin(), first(i).end(), first(j).begin());
  }
};

// The number of points from the first on for which `same` holds.
template <class Same>
std::size_t run(const PointTable& t, const Same& same) {
  std::size_t length = 1;
  while (length < t.count() && same(length)) ++length;
  return length;
}

SeparablePoints pairsOf(const PointTable& t, std::size_t firstCount, std::size_t lastCount,
                        bool firstFastest) {
  SeparablePoints pairs;
  pairs.firstFastest = firstFastest;
  for (std::size_t j = 0; j < firstCount; ++j) {
    const auto a = t.first(firstFastest ? j : j * lastCount);
    pairs.first.insert(pairs.first.end(), a.begin(), a.end());
  }
  for (std::size_t l = 0; l < lastCount; ++l) pairs.last.push_back(t.last(firstFastest ? l * firstCount : l));
  return pairs;
}

}  // namespace

std::optional<SeparablePoints> separablePoints(std::span<const double> points, int dims) {
  const PointTable t{points, std::size_t(dims)};
  const std::size_t count = t.count();
  if (count < 2) return std::nullopt;
  // b is constant over a whole list of a.
  const std::size_t inner = run(t, [&](std::size_t j) { return t.last(j) == t.last(0); });
  if (inner > 1 && count % inner == 0) {
    bool holds = true;
    for (std::size_t j = inner; j < count && holds; ++j)
      holds = t.sameFirst(j, j % inner) && t.last(j) == t.last(j - j % inner);
    if (holds) return pairsOf(t, inner, count / inner, true);
  }
  // a is constant over a whole list of b.
  const std::size_t outer = run(t, [&](std::size_t j) { return t.sameFirst(j, 0); });
  if (outer > 1 && count % outer == 0) {
    bool holds = true;
    for (std::size_t j = outer; j < count && holds; ++j)
      holds = t.last(j) == t.last(j % outer) && t.sameFirst(j, j - j % outer);
    if (holds) return pairsOf(t, count / outer, outer, false);
  }
  return std::nullopt;
}

}  // namespace spokelab
