#include "widgets/profile/charts/profile_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace spokelab {
namespace {

constexpr double slack = 1e-9;      // relative, for a request that a fit meets exactly
constexpr double sameValue = 1e-6;  // α and W closer than this are one value

long long bucket(double value) {
  return std::llround(value / sameValue);
}

}  // namespace

double candidateError(const Candidate& candidate) {
  return candidate.measuredError.value_or(candidate.predictedError());
}

bool meetsAccuracy(const Candidate& candidate, double accuracy) {
  return accuracy <= 0 || candidate.predicted.relativeL2 <= accuracy * (1 + slack);
}

std::vector<int> fastestForEachAlpha(const ProfileData& data) {
  std::map<long long, int> fastest, fastestOfAny;
  const auto offer = [&](std::map<long long, int>& map, int index) {
    const auto& candidate = data.candidates[std::size_t(index)];
    const auto [place, added] = map.emplace(bucket(candidate.options.alpha), index);
    if (added || place->second == data.best) return;
    if (index == data.best || candidate.cost() < data.candidates[std::size_t(place->second)].cost()) {
      place->second = index;
    }
  };
  for (int i = 0; i < int(data.candidates.size()); ++i) {
    const auto& candidate = data.candidates[std::size_t(i)];
    if (!candidate.timed()) continue;
    offer(fastestOfAny, i);
    if (meetsAccuracy(candidate, data.accuracy)) offer(fastest, i);
  }
  std::vector<int> indices;
  for (const auto& [alpha, index] : fastest.empty() ? fastestOfAny : fastest) indices.push_back(index);
  return indices;
}

std::vector<Family> families(const ProfileData& data, Along along) {
  const auto x = [&](int i) {
    const auto& options = data.candidates[std::size_t(i)].options;
    return along == Along::alpha ? options.alpha : options.width;
  };
  const auto value = [&](int i) {
    const auto& options = data.candidates[std::size_t(i)].options;
    return along == Along::alpha ? options.width : options.alpha;
  };
  std::map<long long, Family> groups;
  // Marked candidates are drawn, whatever other candidates share their α and W.
  std::vector<int> order;
  for (const int marked : {data.best, data.selected})
    if (marked >= 0 && marked < int(data.candidates.size())) order.push_back(marked);
  for (int i = 0; i < int(data.candidates.size()); ++i) order.push_back(i);
  std::set<std::pair<long long, long long>> taken;
  for (const int i : order) {
    const Candidate& candidate = data.candidates[std::size_t(i)];
    if (!candidate.refused.empty() || candidate.options.width <= 0) continue;
    if (!taken.emplace(bucket(x(i)), bucket(value(i))).second) continue;
    Family& family = groups[bucket(value(i))];
    family.value = value(i);
    family.members.push_back(i);
  }
  std::vector<Family> result;
  Family singles;
  singles.line = false;
  for (auto& [key, family] : groups) {
    std::stable_sort(family.members.begin(), family.members.end(), [&](int a, int b) { return x(a) < x(b); });
    const bool line = x(family.members.back()) - x(family.members.front()) > sameValue;
    if (line) {
      result.push_back(std::move(family));
    } else {
      singles.members.insert(singles.members.end(), family.members.begin(), family.members.end());
    }
  }
  std::stable_sort(singles.members.begin(), singles.members.end(), [&](int a, int b) { return x(a) < x(b); });
  if (!singles.members.empty()) result.push_back(std::move(singles));
  return result;
}

Along clearerAxis(const ProfileData& data) {
  const auto onLines = [&](Along along) {
    std::size_t count = 0;
    for (const Family& family : families(data, along)) count += family.line ? family.members.size() : 0;
    return count;
  };
  return onLines(Along::width) >= onLines(Along::alpha) && onLines(Along::width) > 0 ? Along::width
                                                                                     : Along::alpha;
}

}  // namespace spokelab
