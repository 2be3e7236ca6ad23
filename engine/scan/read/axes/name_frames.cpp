#include "engine/scan/read/axes/name_frames.h"

#include <algorithm>
#include <limits>
#include <map>

#include "engine/scan/formats/frames/frame_counters.h"

namespace spokelab {
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

  // The first acquisition of a frame.
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

// What a description says about the axis that a counter counts; nothing where it says nothing, or
// where several axes share the counter.
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
