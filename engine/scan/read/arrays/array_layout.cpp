#include "engine/scan/read/arrays/array_layout.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/read/arrays/array_limits.h"
#include "engine/scan/read/description/match_axes.h"
#include "engine/scan/read/places/described_slices.h"

namespace spokelab {
namespace {

constexpr const char* axesTopic = "array-axes";

std::vector<std::int64_t> shotLengths(const ArrayLayout& l) {
  std::int64_t length = l.points;
  for (const RoleArray* a : {&l.trajectory.front(), static_cast<const RoleArray*>(l.samples.get())})
    if (a->size(Role::shot) > 1) {
      length = a->size(Role::sample);
      break;
    }
  if (length == l.points && l.description.samplesPerShot > 0) length = l.description.samplesPerShot;
  std::vector<std::int64_t> lengths;
  for (std::int64_t at = 0; at < l.points; at += length) {
    std::int64_t rest = std::min(length, l.points - at);
    for (; rest > 0; rest -= maxShotSamples) lengths.push_back(std::min(rest, maxShotSamples));
  }
  return lengths;
}

void checkPoints(const ArrayLayout& l, const RoleArray& a, const char* what, const Decisions& d) {
  const std::int64_t n = a.size(Role::shot) * a.size(Role::sample);
  if (n != l.points)
    throw Error(d.problem(),
                "the samples are " + std::to_string(l.points) + " a coil (shots x samples), the " + what +
                    " " + std::to_string(n),
                "Correct the files or the axes in the description");
}

// A single complex number for each point is kx + i ky, with or without a description.
std::vector<ColumnSource> columnSources(const ArrayLayout& l, Decisions& d) {
  const std::vector<std::string>& names = l.description.columns;
  std::vector<ColumnSource> sources;
  std::size_t stored = 0;
  const bool one = l.trajectory.size() == 1 && l.trajectory.front().size(Role::column) == 1;
  for (std::size_t a = 0; a < l.trajectory.size(); ++a) {
    const bool complex = isComplex(l.trajectory[a].file().header().type);
    for (std::int64_t c = 0; c < l.trajectory[a].size(Role::column); ++c, ++stored) {
      const std::string name = stored < names.size() ? names[stored] : "";
      if (name != complexColumn && !(name.empty() && one && complex)) {
        sources.push_back({a, c, false, name});
        continue;
      }
      if (!complex)
        throw Error(d.problem(), "its column kx+iky is real",
                    "Name its columns kx and ky, or correct the file");
      sources.push_back({a, c, false, "kx"});
      sources.push_back({a, c, true, "ky"});
      d.note("columns", "kx and ky", "the trajectory's numbers are complex: kx + i ky");
    }
  }
  if (!names.empty() && names.size() != stored)
    throw Error(d.problem(),
                "its trajectory has " + std::to_string(stored) + " columns, the description names " +
                    std::to_string(names.size()),
                "Name every column");
  if (sources.size() < 2 || sources.size() > 4)
    throw Error(d.problem(), "its trajectory has " + std::to_string(sources.size()) + " columns",
                "Two to four are possible: kx, ky, and kz, density weight or time");
  return sources;
}

ArrayFile fileOf(const ScanDescription& s, const ArrayPart& part) {
  if (part.memory) return ArrayFile(part.memory);
  return ArrayFile(s.folder / part.file, part.shape);
}

// Names for samples that the description leaves without: a guess by the sizes.
void guessAxes(ScanDescription& s) {
  const ArrayFile samples = fileOf(s, s.samples);
  const ArrayPart& first = s.trajectory.front();
  const ArrayFile trajectory = fileOf(s, first);
  int column = -1;
  if (s.trajectory.size() == 1 && !isComplex(trajectory.header().type))
    column = columnAxis(trajectory.header());
  for (std::size_t axis = 0; axis < first.axes.size(); ++axis)
    if (first.axes[axis] == "column") column = int(axis);
  const SampleAxes guess =
      sampleAxes(samples.header(), pointSizes(trajectory.header(), column), partAxis(samples.header()));
  if (guess.names.empty()) return;
  s.samples.axes = guess.names;
  for (const auto& other : guess.others) s.otherAxes.push_back({other, {}});
}

// The axes as described, or as the decision array-axes says; a question where they are a guess.
void decideAxes(ScanDescription& s, Decisions& d) {
  if (s.samples.axes.empty()) guessAxes(s);
  if (s.otherAxes.empty() && d.override(axesTopic).empty()) return;
  AxesReading described{s.samples.axes, {}};
  const bool namesTrajectory = std::any_of(s.otherAxes.begin(), s.otherAxes.end(),
                                           [](const AxesReading& r) { return !r.trajectory.empty(); });
  if (namesTrajectory && s.trajectory.size() == 1) described.trajectory = s.trajectory.front().axes;
  std::vector<std::string> others;
  for (const AxesReading& other : s.otherAxes) others.push_back(readingText(other));
  const std::string evidence =
      others.empty() ? "the description says so" : "a guess by the sizes of the axes, which do not tell it";
  const std::string choice = d.decide(axesTopic, readingText(described), evidence, others, !others.empty());
  const AxesReading chosen = parseReading(choice);
  for (const auto* names : {&chosen.samples, &chosen.trajectory})
    for (const std::string& name : *names)
      if (!isAxisName(name))
        throw Error(d.problem(), "\"" + name + "\" is not the name of an axis", "Use " + joined(axisNames()));
  s.samples.axes = chosen.samples;
  if (chosen.trajectory.empty()) return;
  const std::vector<std::string> before = withoutColumn(s.trajectory.front().axes);
  for (ArrayPart& part : s.trajectory) part.axes = chosen.trajectory;
  for (auto* companion : {&s.weights, &s.times})
    if (*companion && (*companion)->axes == before) (*companion)->axes = withoutColumn(chosen.trajectory);
}

// For each frame of the samples the frame of a trajectory that has some of their axes.
std::vector<int> framesOfTrajectory(const ArrayLayout& l, const RoleArray& trajectory, const Decisions& d) {
  const std::vector<FrameAxis>& axes = l.frameAxes.axes;
  std::vector<int> frames(std::size_t(l.frames), 0);
  if (trajectory.size(Role::frame) == 1) return frames;
  std::size_t from = 0;  // axes of the same name follow each other in both
  for (const FrameAxis& axis : trajectory.frameAxes()) {
    std::size_t at = from;
    while (at < axes.size() && axes[at].meaning != axis.meaning) ++at;
    if (at == axes.size())
      for (at = 0; at < axes.size() && axes[at].meaning != axis.meaning;) ++at;
    if (at == axes.size() || axes[at].size != axis.size)
      throw Error(d.problem(),
                  "the trajectory has " + std::to_string(trajectory.size(Role::frame)) + " frames (" +
                      countText(axis.size, frameMeaningName(axis.meaning)) + "), the samples " +
                      std::to_string(l.frames),
                  "Correct the axes in the description");
    from = at + 1;
    for (int f = 0; f < int(l.frames); ++f)
      frames[std::size_t(f)] = frames[std::size_t(f)] * axis.size + l.frameAxes.place(f, at);
  }
  return frames;
}

void nameFrames(ArrayLayout& l, const Decisions& d) {
  std::vector<FrameAxis> axes = l.samples->frameAxes();
  const ScanDescription& s = l.description;
  const auto setValues = [&](FrameMeaning meaning, const std::vector<double>& values, const char* key) {
    if (values.empty()) return;
    const auto it =
        std::find_if(axes.begin(), axes.end(), [&](const FrameAxis& a) { return a.meaning == meaning; });
    if (it == axes.end() && values.size() == 1) {
      axes.push_back({meaning, 1, values});
      return;
    }
    if (it == axes.end()) return;  // another reading of the axes has none of this name
    if (std::size_t(it->size) != values.size())
      throw Error(d.problem(),
                  std::string("\"") + key + "\" lists " + std::to_string(values.size()) +
                      " values, the axis has " + std::to_string(it->size),
                  "Correct the description");
    it->values = values;
  };
  setValues(FrameMeaning::echo, s.echoTimes, "echo_times_ms");
  setValues(FrameMeaning::time, s.frameTimes, "frame_times_s");
  l.frameAxes = FrameAxes::grid(std::move(axes));
}

void checkTrajectory(const ArrayLayout& l, const RoleArray& t, const Decisions& d) {
  checkPoints(l, t, "trajectory's points are", d);
  if (t.size(Role::coil) > 1)
    throw Error(d.problem(), "the trajectory has an axis called coil",
                "Coils share the trajectory; frames, slices and partitions may have their own");
  if (t.size(Role::part) > 1)
    throw Error(d.problem(), "the trajectory has an axis called complex",
                "Call it column: kx + i ky are columns kx and ky");
  const auto fits = [&](Role role, std::int64_t there, const char* what) {
    if (t.size(role) != 1 && t.size(role) != there)
      throw Error(d.problem(),
                  "the trajectory has " + std::to_string(t.size(role)) + " " + what + ", the samples " +
                      std::to_string(there),
                  "Correct the axes in the description");
  };
  fits(Role::slice, l.slices, "slices");
  fits(Role::partition, l.partitions, "partitions");
}

// Weights and times hold along the axes that they lack.
void checkCompanion(const ArrayLayout& l, const RoleArray& a, const char* what, const Decisions& d) {
  const RoleArray& t = l.trajectory.front();
  const auto own = [&](Role role) { return a.size(role) == 1 || a.size(role) == t.size(role); };
  if (a.size(Role::coil) * a.size(Role::column) * a.size(Role::part) != 1 || !own(Role::frame) ||
      !own(Role::slice))
    throw Error(d.problem(), "weights or times have frames, slices or coils that the trajectory has not",
                "Store them for one frame");
  const std::int64_t samples = l.points / l.pointShots;
  const bool whole = a.size(Role::shot) * a.size(Role::sample) == l.points;
  const bool along = (a.size(Role::shot) == 1 || a.size(Role::shot) == l.pointShots) &&
                     (a.size(Role::sample) == 1 || a.size(Role::sample) == samples);
  const bool cycle = a.size(Role::shot) == 1 && l.points % a.size(Role::sample) == 0;
  const bool partitions = a.size(Role::partition) == 1 || a.size(Role::partition) == l.partitions;
  if (!partitions || !(whole || along || cycle)) checkPoints(l, a, what, d);
  if (!partitions)
    throw Error(d.problem(), "weights or times have another number of partitions than the samples",
                "Correct the axes in the description");
}

}  // namespace

ArrayLayout openArrayLayout(const ScanDescription& description, Decisions& d) {
  ArrayLayout l;
  l.description = description;
  decideAxes(l.description, d);
  const ScanDescription& s = l.description;
  const auto open = [&](const ArrayPart& part, const std::vector<std::string>& usual) {
    if (part.memory) return RoleArray(ArrayFile(part.memory), part.axes, usual, d.problem());
    return RoleArray(s.folder / part.file, part.shape, part.axes, usual, d.problem());
  };
  l.samples = std::make_unique<RoleArray>(open(s.samples, {"frame", "slice", "coil", "shot", "sample"}));
  for (const ArrayPart& part : s.trajectory)
    l.trajectory.push_back(open(part, s.trajectory.size() > 1
                                          ? std::vector<std::string>{"frame", "shot", "sample"}
                                          : std::vector<std::string>{"shot", "sample", "column"}));
  if (s.weights) l.weights = std::make_unique<RoleArray>(open(*s.weights, {"shot", "sample"}));
  if (s.times) l.times = std::make_unique<RoleArray>(open(*s.times, {"shot", "sample"}));

  l.frames = l.samples->size(Role::frame);
  l.slices = l.samples->size(Role::slice);
  l.coils = l.samples->size(Role::coil);
  l.partitions = l.samples->size(Role::partition);
  l.points = l.samples->size(Role::shot) * l.samples->size(Role::sample);
  l.pointShots = std::max(l.samples->size(Role::shot), l.trajectory.front().size(Role::shot));
  if (l.samples->size(Role::column) > 1)
    throw Error(d.problem(), "the samples have an axis called column", "Only the trajectory has columns");
  if (l.frames > maxArrayCount || l.slices > maxArrayCount || l.partitions > maxArrayCount ||
      l.coils > maxShotSamples)
    throw Error(d.problem(), "it has more than 65535 frames, slices, partitions or coils",
                "Check the axes in the description");
  nameFrames(l, d);
  for (const RoleArray& t : l.trajectory) checkTrajectory(l, t, d);
  l.trajectoryFrames = framesOfTrajectory(l, l.trajectory.front(), d);
  for (const RoleArray& t : l.trajectory)
    if (framesOfTrajectory(l, t, d) != l.trajectoryFrames && t.size(Role::frame) > 1)
      throw Error(d.problem(), "the columns of the trajectory have different frames",
                  "Correct the axes in the description");
  if (l.weights) checkCompanion(l, *l.weights, "weights are", d);
  if (l.times) checkCompanion(l, *l.times, "times are", d);
  l.columns = columnSources(l, d);
  l.frameNumbers = d.selected("read-frames", l.frames);
  l.sliceNumbers = slicesInArray(l.description, l.slices, d.selected("read-slices", l.slices));
  l.shots = shotLengths(l);
  return l;
}

}  // namespace spokelab
