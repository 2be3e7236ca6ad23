#include "engine/scan/read/steps/group_frames.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/frames/frame_counters.h"
#include "engine/scan/read/steps/sort_slices.h"

namespace spokelab {
namespace {

struct Counter {
  const char* name;
  std::uint16_t ISMRMRD::ISMRMRD_EncodingCounters::*value;
  bool makesFrames;  // by itself
  FrameMeaning meaning;
};

using C = ISMRMRD::ISMRMRD_EncodingCounters;
const std::array<Counter, 6> counters = {{{"repetition", &C::repetition, true, FrameMeaning::time},
                                          {"phase", &C::phase, true, FrameMeaning::phase},
                                          {"contrast", &C::contrast, true, FrameMeaning::echo},
                                          {"set", &C::set, true, FrameMeaning::set},
                                          {"average", &C::average, false, FrameMeaning::average},
                                          {"segment", &C::segment, false, FrameMeaning::segment}}};

using CounterSet = std::vector<const Counter*>;

std::string nameOf(const CounterSet& set) {
  std::string name;
  for (const Counter* c : set) name += (name.empty() ? "" : "+") + std::string(c->name);
  return name.empty() ? "merge" : name;
}

CounterSet parseCounters(const std::string& text, const Decisions& d) {
  CounterSet set;
  if (text == "merge") return set;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    const auto known =
        std::find_if(counters.begin(), counters.end(), [&](const Counter& c) { return name == c.name; });
    if (known == counters.end())
      throw Error(d.problem(), "\"" + name + "\" is not a counter that makes frames",
                  "Use repetition, phase, contrast, set, average, segment, joined by '+', or merge");
    set.push_back(&*known);
    begin = end + 1;
  }
  return set;
}

class Grouper {
 public:
  Grouper(const RawTrajectory& raw, const Selection& s, const std::vector<AcquisitionHead>& heads)
      : raw_(raw), s_(s), heads_(heads) {}

  const C& idx(std::size_t position) const { return heads_[std::size_t(s_.imaging[position])].idx; }

  int distinct(std::uint16_t C::*value) const {
    std::set<int> seen;
    for (std::size_t p = 0; p < s_.imaging.size(); ++p) seen.insert(idx(p).*value);
    return int(seen.size());
  }

  Groups group(const CounterSet& set) const {
    std::map<std::vector<int>, std::size_t> frames;
    std::map<int, std::size_t> slices;
    for (std::size_t p = 0; p < s_.imaging.size(); ++p) {
      frames.try_emplace(key(set, p), 0);
      slices.try_emplace(idx(p).slice, 0);
    }
    Groups groups;
    std::size_t n = 0;
    for (auto& [values, number] : frames) number = n++;
    n = 0;
    for (auto& [counter, number] : slices) {
      number = n++;
      groups.sliceCounters.push_back(counter);
    }
    for (const Counter* c : set) groups.counters.push_back(c->meaning);
    groups.lines.assign(frames.size(), std::vector<std::vector<std::size_t>>(slices.size()));
    for (std::size_t p = 0; p < s_.imaging.size(); ++p)
      groups.lines[frames.at(key(set, p))][slices.at(idx(p).slice)].push_back(p);
    return groups;
  }

  std::int64_t samples(const std::vector<std::size_t>& lines) const {
    std::int64_t sum = 0;
    for (const std::size_t p : lines) sum += raw_.offsets[p + 1] - raw_.offsets[p];
    return sum;
  }

  // The same points, shot by shot (and the same counted partition, where kz is counted).
  bool sameTrajectory(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b,
                      bool partitions) const {
    if (&a == &b) return true;
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (partitions && idx(a[i]).kspace_encode_step_2 != idx(b[i]).kspace_encode_step_2) return false;
      if (isBad(a[i]) || isBad(b[i])) {  // their coordinates are not known
        if (length(a[i]) != length(b[i])) return false;
        continue;
      }
      const auto at = [&](std::size_t p) { return raw_.values.begin() + raw_.offsets[p] * raw_.columns; };
      if (!std::equal(at(a[i]), at(a[i] + 1), at(b[i]), at(b[i] + 1))) return false;
    }
    return true;
  }

 private:
  bool isBad(std::size_t position) const { return !raw_.bad.empty() && raw_.bad[position]; }
  std::int64_t length(std::size_t position) const {
    return raw_.offsets[position + 1] - raw_.offsets[position];
  }

  std::vector<int> key(const CounterSet& set, std::size_t position) const {
    std::vector<int> values;
    for (const Counter* c : set) values.push_back(idx(position).*(c->value));
    return values;
  }

  const RawTrajectory& raw_;
  const Selection& s_;
  const std::vector<AcquisitionHead>& heads_;
};

CounterSet decideFrames(const Grouper& grouper, const ImageSpace& space, Decisions& d) {
  CounterSet automatic;
  std::string evidence;
  std::vector<std::string> alternatives = {"merge"};
  for (const Counter& c : counters) {
    const int n = grouper.distinct(c.value);
    if (n == 1) continue;
    if (c.makesFrames) automatic.push_back(&c);
    if (c.makesFrames || std::string(c.name) == "average") {
      alternatives.push_back(c.name);
      evidence +=
          (evidence.empty() ? "" : ", ") + std::string(c.name) + " has " + std::to_string(n) + " values";
    }
  }
  if (alternatives.size() == 1 && d.override("frames").empty()) {
    d.note("frames", "1", "no counter that makes frames varies");
    return {};
  }
  if (!automatic.empty()) {
    // A counter that runs with every shot (a continuous measurement) does not make images.
    constexpr std::int64_t maxPixelsPerSample = 16;
    const Groups groups = grouper.group(automatic);
    std::int64_t most = 0;
    for (const auto& frame : groups.lines)
      for (const auto& slice : frame) most = std::max(most, grouper.samples(slice));
    const std::int64_t pixels = product(space.matrix);
    if (most * maxPixelsPerSample < pixels) {
      evidence += "; but a frame would have at most " + std::to_string(most) + " samples for " +
                  std::to_string(pixels) + " pixels";
      if (automatic.size() > 1) alternatives.push_back(nameOf(automatic));  // one alone is there
      automatic.clear();
    }
  }
  const std::string choice = d.decide("frames", nameOf(automatic), evidence, alternatives);
  return choice == nameOf(automatic) ? automatic : parseCounters(choice, d);
}

// Frames that lack a slice (a measurement that was stopped) are left out where most are complete.
void dropIncomplete(Groups& groups, Decisions& d) {
  const auto incomplete = [](const auto& frame) {
    return std::any_of(frame.begin(), frame.end(), [](const auto& slice) { return slice.empty(); });
  };
  const auto n = std::count_if(groups.lines.begin(), groups.lines.end(), incomplete);
  if (n == 0 || 2 * n >= std::int64_t(groups.lines.size())) return;
  std::erase_if(groups.lines, incomplete);
  d.warn(countText(n, "frame lacks", "frames lack") + " slices and will be left out");
}

template <class T>
void keep(std::vector<T>& values, const std::vector<int>& numbers) {
  std::vector<T> kept;
  for (const int n : numbers) kept.push_back(std::move(values[std::size_t(n)]));
  values = std::move(kept);
}

}  // namespace

Groups groupAcquisitions(const RawTrajectory& raw, const Columns& columns, const Selection& s,
                         const std::vector<AcquisitionHead>& heads, const ImageSpace& space, Decisions& d) {
  const Grouper grouper(raw, s, heads);
  const CounterSet set = decideFrames(grouper, space, d);
  Groups groups = grouper.group(set);
  const bool averagesMakeFrames =
      std::any_of(set.begin(), set.end(), [](const Counter* c) { return std::string(c->name) == "average"; });
  if (!averagesMakeFrames) groups.averages = grouper.distinct(&C::average);
  dropIncomplete(groups, d);
  splitByPlace(groups, s, heads, space, d);
  sortSlices(groups, s, heads, space, d);
  const std::size_t slices = groups.lines.front().size();

  const bool partitions = columns.partition >= 0;
  bool alike = true;
  for (const auto& frame : groups.lines)
    for (const auto& slice : frame)
      alike = alike && !slice.empty() && grouper.sameTrajectory(frame.front(), slice, partitions);
  if (slices > 1) {
    groups.slicesAreFrames = columns.dims == 3 || !alike;
    const std::string what = columns.dims == 3 ? "slabs" : "slices";
    d.note("slices", std::to_string(slices),
           groups.slicesAreFrames
               ? what + (columns.dims == 3 ? " become frames" : " become frames: their trajectories differ")
               : "counted by the slice counter; their trajectories are the same");
  }
  if (groups.slicesAreFrames) {
    std::vector<std::vector<std::vector<std::size_t>>> flat;
    for (auto& frame : groups.lines)
      for (auto& slice : frame)
        if (!slice.empty()) flat.push_back({std::move(slice)});
    groups.lines = std::move(flat);
    groups.counters.push_back(FrameMeaning::slice);
    d.warn("The " + std::string(columns.dims == 3 ? "slabs" : "slices") +
           " become frames, each at its own position");
  }
  for (const auto& frame : groups.lines)
    groups.sharedTrajectory = groups.sharedTrajectory &&
                              grouper.sameTrajectory(groups.lines.front().front(), frame.front(), partitions);
  if (groups.lines.size() > 1)
    d.note("frame-trajectories", groups.sharedTrajectory ? "shared" : "one a frame",
           groups.sharedTrajectory ? "all frames have the same points"
                                   : "the points differ from frame to frame");
  return groups;
}

void keepAskedFor(Groups& groups, Decisions& d) {
  const std::vector<int> frames = d.selected("read-frames", std::int64_t(groups.lines.size()));
  if (frames.size() < groups.lines.size()) {
    keep(groups.lines, frames);
    groups.axes = groups.axes.select(frames);
  }
  const std::vector<int> slices = d.selected("read-slices", std::int64_t(groups.lines.front().size()));
  if (slices.size() == groups.lines.front().size()) return;
  for (auto& frame : groups.lines) keep(frame, slices);
  if (groups.sliceCounters.size() > 1 && !groups.slicesAreFrames) keep(groups.sliceCounters, slices);
}

namespace {

class FrameNamer {
 public:
  FrameNamer(const Groups& groups, const Selection& s, const std::vector<AcquisitionHead>& heads)
      : groups_(groups), s_(s), heads_(heads) {}

  const AcquisitionHead& head(std::size_t position) const {
    return heads_[std::size_t(s_.imaging[position])];
  }

  // The places of the counter's values: 0, 1, ... in their order.
  std::map<int, int> placesOf(FrameCounter counter) const {
    std::map<int, int> places;
    for (const auto& frame : groups_.lines)
      for (const auto& slice : frame)
        for (const std::size_t p : slice) places.try_emplace(head(p).idx.*counter, 0);
    int n = 0;
    for (auto& [value, place] : places) place = n++;
    return places;
  }

  // Mean time of the acquisitions of each place, from the scan's first one on; empty: no stamps.
  std::vector<double> times(FrameCounter counter, const std::map<int, int>& places) const {
    std::vector<double> sums(places.size(), 0), counts(places.size(), 0);
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max(), last = 0;
    for (const auto& frame : groups_.lines)
      for (const auto& slice : frame)
        for (const std::size_t p : slice) {
          const std::uint32_t stamp = head(p).acquisition_time_stamp;
          first = std::min(first, stamp);
          last = std::max(last, stamp);
          const auto place = std::size_t(places.at(head(p).idx.*counter));
          sums[place] += stamp;
          ++counts[place];
        }
    if (first >= last) return {};
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = (sums[i] / counts[i] - first) * stampSeconds;
    return sums;
  }

  const AcquisitionHead& firstOf(std::size_t frame) const {
    for (const auto& slice : groups_.lines[frame])
      if (!slice.empty()) return head(slice.front());
    return head(0);
  }

 private:
  const Groups& groups_;
  const Selection& s_;
  const std::vector<AcquisitionHead>& heads_;
};

// The header lists an echo time for each contrast, by its number.
std::vector<double> echoTimes(const std::map<int, int>& places, const std::vector<double>& listed) {
  std::vector<double> times;
  for (const auto& [contrast, place] : places) {
    if (std::size_t(contrast) >= listed.size()) return {};
    times.push_back(listed[std::size_t(contrast)]);
  }
  return times;
}

// A description's axis for a counter; nothing if it has none, or if several axes share the counter.
const FrameAxis* statedAxis(const MrdHeader& header, FrameCounter counter) {
  const FrameAxis* found = nullptr;
  for (const FrameAxis& axis : header.statedFrames) {
    if (frameCounter(axis.meaning) != counter) continue;
    if (found) return nullptr;
    found = &axis;
  }
  return found;
}

}  // namespace

FrameAxes nameFrames(const Groups& groups, const Selection& selection,
                     const std::vector<AcquisitionHead>& heads, const MrdHeader& header, Decisions& d) {
  const FrameNamer namer(groups, selection, heads);
  std::vector<FrameMeaning> meanings = groups.counters;
  // Axes along which one place is read, and an echo time that says what a single image is.
  const auto addSingle = [&](FrameMeaning meaning) {
    const auto counts = [&](FrameMeaning m) { return frameCounter(m) == frameCounter(meaning); };
    if (std::none_of(meanings.begin(), meanings.end(), counts) &&
        namer.placesOf(frameCounter(meaning)).size() == 1)
      meanings.push_back(meaning);
  };
  for (const FrameAxis& axis : header.statedFrames) addSingle(axis.meaning);
  if (header.echoTimes.size() == 1) addSingle(FrameMeaning::echo);
  FrameAxes result;
  std::vector<std::map<int, int>> places;
  std::vector<FrameCounter> counters;
  for (const FrameMeaning meaning : meanings) {
    const auto counter = frameCounter(meaning);
    const std::map<int, int> known = namer.placesOf(counter);
    FrameAxis axis{meaning, int(known.size()), {}};
    if (meaning == FrameMeaning::echo) axis.values = echoTimes(known, header.echoTimes);
    if (meaning == FrameMeaning::time) axis.values = namer.times(counter, known);
    std::map<int, int> place = known;
    if (const FrameAxis* stated = statedAxis(header, counter)) {
      axis = *stated;
      for (auto& [value, number] : place) number = value;
    } else if (meaning == FrameMeaning::time && !header.statedFrames.empty()) {
      axis.meaning = FrameMeaning::frame;
    }
    if (axis.size == 1 && axis.values.empty()) continue;
    result.axes.push_back(std::move(axis));
    places.push_back(std::move(place));
    counters.push_back(counter);
  }
  for (std::size_t f = 0; f < groups.lines.size(); ++f)
    for (std::size_t a = 0; a < result.axes.size(); ++a)
      result.places.push_back(places[a].at(namer.firstOf(f).idx.*counters[a]));
  if (!result.empty())
    d.note("frame-axes", result.summary(),
           "what the frames are, by the counters of the acquisitions; values from header and time stamps");
  return result;
}

}  // namespace spokelab
