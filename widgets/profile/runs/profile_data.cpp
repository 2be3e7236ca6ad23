#include "widgets/profile/runs/profile_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "engine/nufft/tune/repeats.h"

namespace spokelab {
namespace {

constexpr double slack = 1e-9;      // relative, for a request that a fit meets exactly
constexpr double sameValue = 1e-6;  // α and W closer than this are one value

long long bucket(double value) {
  return std::llround(value / sameValue);
}

}  // namespace

const Candidate* pickedPlan(const ProfileData& data) {
  const bool any = data.picked && data.selected >= 0 && data.selected < int(data.candidates.size());
  return any ? &data.candidates[std::size_t(data.selected)] : nullptr;
}

double candidateError(const Candidate& candidate) {
  return candidate.measuredError.value_or(candidate.predictedError());
}

bool meetsAccuracy(const Candidate& candidate, double accuracy) {
  return accuracy <= 0 || candidate.predictedError() <= accuracy * (1 + slack);
}

bool isTie(const ProfileData& data, int candidate) {
  const int count = int(data.candidates.size());
  if (data.best < 0 || data.best >= count || candidate < 0 || candidate >= count || candidate == data.best)
    return false;
  const Candidate& c = data.candidates[std::size_t(candidate)];
  return meetsAccuracy(c, data.accuracy) && tiesWith(c, data.candidates[std::size_t(data.best)]);
}

std::vector<CandidatePath> pathsIn(const ProfileData& data) {
  std::vector<CandidatePath> paths;
  for (const Candidate& candidate : data.candidates)
    if (pathIndex(paths, candidate) < 0) paths.push_back(pathOf(candidate));
  std::stable_sort(paths.begin(), paths.end(), [](const CandidatePath& a, const CandidatePath& b) {
    return std::pair(a.over, a.name) < std::pair(b.over, b.name);
  });
  return paths;
}

int pathIndex(const std::vector<CandidatePath>& paths, const Candidate& candidate) {
  const std::string name = pathOf(candidate).name;
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (paths[i].name == name) return int(i);
  return -1;
}

std::optional<double> placeAlong(const Candidate& candidate, Along along) {
  const CandidatePath path = pathOf(candidate);
  if (along == Along::width) return path.isGrid() ? std::optional(candidate.options.width) : std::nullopt;
  return path.over == SweptOver::nothing ? std::nullopt : std::optional(path.alpha);
}

long long alphaStep(double alpha) {
  return bucket(alpha);
}

bool goesBefore(const ProfileData& data, int a, int b) {
  const auto rank = [&](int index) {
    const Candidate& c = data.candidates[std::size_t(index)];
    const bool met = meetsAccuracy(c, data.accuracy);
    const double value = !c.timed() ? 0 : met ? c.cost() : candidateError(c);
    return std::tuple(!c.timed(), index != data.best, !met, value, index);
  };
  return rank(a) < rank(b);
}

std::vector<int> fastestForEachAlpha(const ProfileData& data, InexactPaths inexact) {
  using Place = std::pair<int, long long>;
  const std::vector<CandidatePath> paths = pathsIn(data);
  const auto meets = [&](int i) { return meetsAccuracy(data.candidates[std::size_t(i)], data.accuracy); };
  std::map<Place, int> first;
  bool anyMeets = false;
  std::set<int> exactPaths;  // of which some candidate meets the accuracy
  for (int i = 0; i < int(data.candidates.size()); ++i) {
    const Candidate& candidate = data.candidates[std::size_t(i)];
    if (!candidate.timed()) continue;
    anyMeets = anyMeets || meets(i);
    const int path = pathIndex(paths, candidate);
    if (meets(i)) exactPaths.insert(path);
    const auto [place, added] = first.emplace(Place(path, alphaStep(pathOf(candidate).alpha)), i);
    if (!added && goesBefore(data, i, place->second)) place->second = i;
  }
  std::vector<int> indices;
  for (const auto& [place, i] : first)
    if (!anyMeets || i == data.best || meets(i) ||
        (inexact == InexactPaths::shown && !exactPaths.contains(place.first)))
      indices.push_back(i);
  return indices;
}

namespace {

// Marked candidates first: they are drawn, whatever other candidates share their place.
std::vector<int> drawingOrder(const ProfileData& data) {
  std::vector<int> order;
  for (const int marked : {data.best, data.selected})
    if (marked >= 0 && marked < int(data.candidates.size())) order.push_back(marked);
  for (int i = 0; i < int(data.candidates.size()); ++i) order.push_back(i);
  return order;
}

void sortAlong(const ProfileData& data, Along along, std::vector<int>& members) {
  std::stable_sort(members.begin(), members.end(), [&](int a, int b) {
    return *placeAlong(data.candidates[std::size_t(a)], along) <
           *placeAlong(data.candidates[std::size_t(b)], along);
  });
}

std::vector<Family> gridFamilies(const ProfileData& data, Along along) {
  const Along across = along == Along::alpha ? Along::width : Along::alpha;
  const auto x = [&](int i) { return *placeAlong(data.candidates[std::size_t(i)], along); };
  std::map<long long, Family> groups;
  std::set<std::pair<long long, long long>> takenCells;
  for (const int i : drawingOrder(data)) {
    const Candidate& candidate = data.candidates[std::size_t(i)];
    const CandidatePath path = pathOf(candidate);
    if (!path.isGrid() || !candidate.refused.empty() || candidate.options.width <= 0) continue;
    const double value = *placeAlong(candidate, across);
    if (!takenCells.emplace(bucket(x(i)), bucket(value)).second) continue;
    Family& family = groups[bucket(value)];
    family.path = path;
    family.value = value;
    family.members.push_back(i);
  }
  std::vector<Family> result;
  Family singles;
  singles.line = false;
  for (auto& [key, family] : groups) {
    sortAlong(data, along, family.members);
    if (x(family.members.back()) - x(family.members.front()) > sameValue) {
      result.push_back(std::move(family));
    } else {
      singles.path = family.path;
      singles.members.insert(singles.members.end(), family.members.begin(), family.members.end());
    }
  }
  sortAlong(data, along, singles.members);
  if (!singles.members.empty()) result.push_back(std::move(singles));
  return result;
}

Family pathFamily(const ProfileData& data, Along along, const CandidatePath& path) {
  Family family;
  family.path = path;
  family.level = path.over == SweptOver::nothing || along == Along::width;
  std::set<long long> takenCells;
  for (const int i : drawingOrder(data)) {
    const Candidate& candidate = data.candidates[std::size_t(i)];
    const CandidatePath own = pathOf(candidate);
    if (own.name != path.name || !candidate.timed() || !takenCells.insert(bucket(own.alpha)).second) continue;
    family.members.push_back(i);
  }
  const auto marked = [&](int i) { return i == data.best || i == data.selected; };
  if (!family.level)
    sortAlong(data, along, family.members);
  else
    std::stable_sort(family.members.begin(), family.members.end(), [&](int a, int b) {
      return std::tuple(!marked(a), data.candidates[std::size_t(a)].cost()) <
             std::tuple(!marked(b), data.candidates[std::size_t(b)].cost());
    });
  return family;
}

}  // namespace

std::vector<Family> families(const ProfileData& data, Along along) {
  std::vector<Family> result = gridFamilies(data, along);
  for (const CandidatePath& path : pathsIn(data)) {
    if (path.isGrid()) continue;
    Family family = pathFamily(data, along, path);
    if (!family.members.empty()) result.push_back(std::move(family));
  }
  return result;
}

Along clearerAxis(const ProfileData& data) {
  const auto onLines = [&](Along along) {
    std::size_t count = 0;
    for (const Family& family : gridFamilies(data, along)) count += family.line ? family.members.size() : 0;
    return count;
  };
  return onLines(Along::width) >= onLines(Along::alpha) && onLines(Along::width) > 0 ? Along::width
                                                                                     : Along::alpha;
}

}  // namespace spokelab
