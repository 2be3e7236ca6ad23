#include "engine/scan/frame_axes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/core/text.h"

namespace spokelab {
namespace {

struct Naming {
  FrameMeaning meaning;
  const char *name, *plural, *unit, *valueName;
};

constexpr std::array<Naming, 8> namings = {{{FrameMeaning::frame, "frame", "frames", "", ""},
                                            {FrameMeaning::time, "time", "times", "s", ""},
                                            {FrameMeaning::echo, "echo", "echoes", "s", "TE "},
                                            {FrameMeaning::phase, "phase", "phases", "s", ""},
                                            {FrameMeaning::average, "average", "averages", "", ""},
                                            {FrameMeaning::set, "set", "sets", "", ""},
                                            {FrameMeaning::segment, "segment", "segments", "", ""},
                                            {FrameMeaning::slice, "slice", "slices", "", ""}}};

const Naming& namingOf(FrameMeaning meaning) {
  return namings[std::size_t(meaning)];
}

// Echo times are told in ms, as the field does; times from the start of a scan in s or ms.
std::string valueText(FrameMeaning meaning, double value) {
  constexpr int digits = 4;
  constexpr double millisecondsPerSecond = 1000;
  const Naming& n = namingOf(meaning);
  if (meaning == FrameMeaning::echo || meaning == FrameMeaning::phase)
    return n.valueName + numberText(value * millisecondsPerSecond, digits) + " ms";
  return n.valueName + numberText(value, digits) + (*n.unit ? std::string(" ") + n.unit : "");
}

}  // namespace

const char* frameMeaningName(FrameMeaning meaning) {
  return namingOf(meaning).name;
}

std::optional<FrameMeaning> frameMeaningOf(std::string_view name) {
  const auto it =
      std::find_if(namings.begin(), namings.end(), [&](const Naming& n) { return name == n.name; });
  if (it == namings.end()) return {};
  return it->meaning;
}

const char* frameUnit(FrameMeaning meaning) {
  return namingOf(meaning).unit;
}

FrameAxes FrameAxes::grid(std::vector<FrameAxis> axes) {
  FrameAxes result;
  result.axes = std::move(axes);
  if (result.axes.empty()) return result;
  std::size_t frames = 1;
  for (const FrameAxis& axis : result.axes) frames *= std::size_t(axis.size);
  result.places.resize(frames * result.axes.size());
  for (std::size_t f = 0; f < frames; ++f) {
    std::size_t rest = f;
    for (std::size_t a = result.axes.size(); a-- > 0;) {
      const auto size = std::size_t(result.axes[a].size);
      result.places[f * result.axes.size() + a] = int(rest % size);
      rest /= size;
    }
  }
  return result;
}

std::optional<std::size_t> FrameAxes::find(FrameMeaning meaning) const {
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (axes[a].meaning == meaning) return a;
  return {};
}

std::optional<double> FrameAxes::value(int frame, FrameMeaning meaning) const {
  const auto axis = find(meaning);
  if (!axis || axes[*axis].values.empty()) return {};
  return axes[*axis].values[std::size_t(place(frame, *axis))];
}

bool FrameAxes::isGrid() const {
  return places == grid(axes).places;
}

FrameAxes FrameAxes::select(const std::vector<int>& chosen) const {
  FrameAxes result;
  result.axes = axes;
  for (const int f : chosen)
    for (std::size_t a = 0; a < axes.size(); ++a) result.places.push_back(place(f, a));
  return result;
}

void FrameAxes::append(const FrameAxes& more) {
  if (axes != more.axes) {
    *this = {};
    return;
  }
  places.insert(places.end(), more.places.begin(), more.places.end());
}

std::string FrameAxes::text(int frame) const {
  if (frame < 0 || frame >= frames()) return {};
  std::string text;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const FrameAxis& axis = axes[a];
    if (axis.size < 2) continue;
    const int at = place(frame, a);
    text += (text.empty() ? "" : "; ") + std::string(frameMeaningName(axis.meaning)) + " " +
            std::to_string(at + 1) + " of " + std::to_string(axis.size);
    if (!axis.values.empty()) text += ", " + valueText(axis.meaning, axis.values[std::size_t(at)]);
  }
  return text;
}

std::string FrameAxes::word(int frame) const {
  if (frame < 0 || frame >= frames()) return {};
  std::string word;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (axes[a].size < 2) continue;
    const std::size_t width = std::to_string(axes[a].size).size();
    word += (word.empty() ? "" : "_") + std::string(frameMeaningName(axes[a].meaning)) +
            rightAligned(std::to_string(place(frame, a) + 1), width, '0');
  }
  return word;
}

std::string FrameAxes::summary() const {
  std::string text;
  for (const FrameAxis& axis : axes) {
    const Naming& n = namingOf(axis.meaning);
    text += (text.empty() ? "" : ", ") + countText(axis.size, n.name, n.plural);
    if (axis.values.empty()) continue;
    const std::string first = valueText(axis.meaning, axis.values.front());
    text += " (" + first;
    if (axis.size > 1)
      text += " ... " + valueText(axis.meaning, axis.values.back()).substr(std::string(n.valueName).size());
    text += ")";
  }
  return text;
}

}  // namespace spokelab
