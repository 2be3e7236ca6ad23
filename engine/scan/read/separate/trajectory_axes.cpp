#include "engine/scan/read/separate/trajectory_axes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr std::size_t counterCount = 7;
using AllCounters = std::array<int, counterCount>;
constexpr std::array<const char*, counterCount> counterNames = {
    "repetition", "phase", "contrast", "set", "average", "slice", "kspace_encode_step_2"};
const char* const shotName = "shot";
const char* const sampleName = "sample";

AllCounters countersOf(const AcquisitionHead& head) {
  const auto& i = head.idx;
  return {i.repetition, i.phase, i.contrast, i.set, i.average, i.slice, i.kspace_encode_step_2};
}

// Values of each counter, and the acquisitions with the same ones.
struct Counted {
  std::array<std::set<int>, counterCount> values;
  std::map<AllCounters, std::vector<std::int64_t>> shots;

  Counted(const std::vector<AcquisitionHead>& heads, const std::vector<std::int64_t>& imaging) {
    for (const std::int64_t a : imaging) {
      const AllCounters c = countersOf(heads[std::size_t(a)]);
      for (std::size_t n = 0; n < counterCount; ++n) values[n].insert(c[n]);
      shots[c].push_back(a);
    }
  }
  std::int64_t perKey() const { return std::int64_t(shots.begin()->second.size()); }
  bool whole() const {
    std::size_t keys = 1;
    for (const auto& v : values) keys *= v.size();
    return keys == shots.size() && std::all_of(shots.begin(), shots.end(), [&](const auto& s) {
             return std::int64_t(s.second.size()) == perKey();
           });
  }
};

struct Name {
  std::string name;
  std::int64_t size = 1;
};

// Gives the axes from `names.size()` on a name of the same size each, in every way.
void nameAxes(const std::vector<std::int64_t>& sizes, const std::vector<Name>& possible,
              std::vector<std::string>& names, const std::function<void()>& found) {
  if (names.size() == sizes.size()) return found();
  for (const Name& n : possible) {
    if (n.size != sizes[names.size()] || std::find(names.begin(), names.end(), n.name) != names.end())
      continue;
    names.push_back(n.name);
    nameAxes(sizes, possible, names, found);
    names.pop_back();
  }
}

bool has(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string TrajectoryAxes::text(const GivenTrajectory& t) const {
  std::vector<std::string> axes = names;
  if (t.arrays[array].column >= 0)
    axes.insert(t.arrays[array].columnFirst ? axes.begin() : axes.end(), "column");
  return joined(axes, ",");
}

std::vector<TrajectoryAxes> possibleAxes(const GivenTrajectory& t, const std::vector<AcquisitionHead>& heads,
                                         const std::vector<std::int64_t>& imaging, std::int64_t samples) {
  const Counted counted(heads, imaging);
  const auto differs = [&](std::int64_t a) {
    return heads[std::size_t(a)].number_of_samples != heads[std::size_t(imaging.front())].number_of_samples;
  };
  if (!counted.whole() || std::any_of(imaging.begin(), imaging.end(), differs)) return {};
  // The likelier namings come first: counters outside, samples inside.
  std::vector<Name> possible;
  for (std::size_t n = 0; n < counterCount; ++n)
    if (const std::size_t count = counted.values[n].size(); count > 1)
      possible.push_back({counterNames[n], std::int64_t(count)});
  if (counted.perKey() > 1) possible.push_back({shotName, counted.perKey()});
  possible.push_back({sampleName, samples});
  std::vector<TrajectoryAxes> all;
  for (std::size_t i = 0; i < t.arrays.size(); ++i) {
    std::vector<std::string> names;
    nameAxes(t.arrays[i].sizes, possible, names, [&] {
      if (has(names, sampleName) && (has(names, shotName) || counted.perKey() == 1))
        all.push_back({i, names});
    });
  }
  return all;
}

std::vector<std::int64_t> sortShots(GivenTrajectory& t, const TrajectoryAxes& axes,
                                    const std::vector<AcquisitionHead>& heads,
                                    const std::vector<std::int64_t>& imaging) {
  const Counted counted(heads, imaging);
  const std::vector<std::int64_t>& sizes = t.arrays[axes.array].sizes;
  std::map<std::string, std::int64_t> steps, lengths;  // of the stored array, in points
  std::int64_t step = 1;
  for (std::size_t i = sizes.size(); i-- > 0; step *= sizes[i]) {
    steps[axes.names[i]] = step;
    lengths[axes.names[i]] = sizes[i];
  }
  const std::int64_t samples = lengths[sampleName];
  const std::size_t columns = std::size_t(t.columns);
  const auto place = [&](std::int64_t acquisition, std::int64_t shot) {
    const AllCounters c = countersOf(heads[std::size_t(acquisition)]);
    std::int64_t at = steps.contains(shotName) ? shot * steps[shotName] : 0;
    for (std::size_t n = 0; n < counterCount; ++n)
      if (steps.contains(counterNames[n]))
        at += std::distance(counted.values[n].begin(), counted.values[n].find(c[n])) * steps[counterNames[n]];
    return at;
  };
  // First points of the stored shots, and the acquisitions that have them.
  std::map<std::int64_t, std::vector<std::int64_t>> users;
  std::vector<std::int64_t> order;  // of the shots: counters outside
  for (const auto& [key, list] : counted.shots)
    for (std::size_t shot = 0; shot < list.size(); ++shot) {
      std::vector<std::int64_t>& own = users[place(list[shot], std::int64_t(shot))];
      if (own.empty()) order.push_back(place(list[shot], std::int64_t(shot)));
      own.push_back(list[shot]);
    }
  std::vector<double> values;
  values.reserve(t.values.size());
  for (const std::int64_t first : order)
    for (std::int64_t i = 0; i < samples; ++i) {
      const auto from =
          t.values.begin() + std::ptrdiff_t(std::size_t(first + i * steps[sampleName]) * columns);
      values.insert(values.end(), from, from + std::ptrdiff_t(columns));
    }
  t.values = std::move(values);
  t.shotLengths.assign(order.size(), samples);
  t.hasShots = true;
  std::vector<std::int64_t> acquisitions;
  for (std::size_t group = 0; group < users.begin()->second.size(); ++group)
    for (const std::int64_t first : order) acquisitions.push_back(users[first][group]);
  return acquisitions;
}

void requireOneMeaning(const GivenTrajectory& t, const std::vector<AcquisitionHead>& heads,
                       const std::vector<std::int64_t>& imaging, const Decisions& d) {
  if (t.groups() < 2) return;
  const std::vector<std::int64_t>& sizes = t.arrays.front().sizes;
  std::array<std::set<int>, 6> values;
  for (const std::int64_t a : imaging) {
    const auto& i = heads[std::size_t(a)].idx;
    const std::array<int, 6> counters = {i.repetition, i.phase, i.contrast, i.set, i.average, i.slice};
    for (std::size_t c = 0; c < counters.size(); ++c) values[c].insert(counters[c]);
  }
  const auto alike = [&](const std::set<int>& v) {
    const auto count = std::int64_t(v.size());
    return count > 1 && std::find(sizes.begin(), sizes.end() - 1, count) != sizes.end() - 1;
  };
  if (std::none_of(values.begin(), values.end(), alike)) return;
  throw Error(d.problem(),
              "an axis of " + t.name +
                  " is as long as there are frames or slices, and may be theirs or a part of the "
                  "shots that each of them has",
              "Save it as [shot, sample, column] if all frames have the same shots; else with the shots of "
              "all frames, one after the other");
}

}  // namespace spokelab
