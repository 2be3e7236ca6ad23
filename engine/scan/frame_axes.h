// The axes of a scan's or image's frames: named axes (time, echo, phase, average, set ...) with
// values if the file has them. A frame has one place along each axis.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spokelab {

// frame: unknown meaning. time: repetitions and windows of a continuous measurement. echo:
// contrasts. slice: slices or slabs with different trajectories.
enum class FrameMeaning { frame, time, echo, phase, average, set, segment, slice };

const char* frameMeaningName(FrameMeaning meaning);  // "echo"
std::optional<FrameMeaning> frameMeaningOf(std::string_view name);
// Unit of the values: "s" for time (since the first shot of the scan), echo (echo time) and phase
// (since the trigger); "" for the others, which have none.
const char* frameUnit(FrameMeaning meaning);

struct FrameAxis {
  FrameMeaning meaning = FrameMeaning::frame;
  int size = 1;
  std::vector<double> values;  // [size], in frameUnit(); empty: the file has none

  bool operator==(const FrameAxis&) const = default;
};

// Without axes nothing is known about the frames; there may be several all the same.
struct FrameAxes {
  std::vector<FrameAxis> axes;  // slowest first
  std::vector<int> places;      // [frame, axis]: the place of each frame along each axis, from 0

  // Every combination of places, the last axis fastest.
  static FrameAxes grid(std::vector<FrameAxis> axes);

  bool empty() const { return axes.empty(); }
  int frames() const { return axes.empty() ? 0 : int(places.size() / axes.size()); }
  int place(int frame, std::size_t axis) const { return places[std::size_t(frame) * axes.size() + axis]; }
  // The index in `axes` of the axis with this meaning; nothing without one.
  std::optional<std::size_t> find(FrameMeaning meaning) const;
  // The frame's value in frameUnit(); no value if the axis or its values are missing.
  std::optional<double> value(int frame, FrameMeaning meaning) const;
  // True if the frames are every combination of places in order, as grid() makes them.
  bool isGrid() const;
  // These frames only; the axes keep their sizes, so that an echo remains the second of five.
  FrameAxes select(const std::vector<int>& frames) const;
  // Adds the frames of `more` after these. If the axes differ, the result has no axes.
  void append(const FrameAxes& more);

  // "echo 2 of 5, TE 4.9 ms"; several axes: "time 3 of 20, 1.2 s; echo 1 of 2". Counted from 1. ""
  // where nothing is known about the frame, or it is the only one.
  std::string text(int frame) const;
  // The same for file names: "time03_echo2"; "" as above.
  std::string word(int frame) const;
  // All axes: "20 times, 5 echoes (TE 4.9 ... 24.5 ms)"; empty without axes.
  std::string summary() const;

  bool operator==(const FrameAxes&) const = default;
};

}  // namespace spokelab
