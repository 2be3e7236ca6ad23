#include "engine/scan/read/shots/sliding_window.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/scan/read/shots/shot_frames.h"

namespace spokelab {
namespace {

constexpr const char* topic = "sliding-window";
constexpr std::int64_t exampleWindow = 34, exampleStep = 13;  // numbers of the Fibonacci series

struct Window {
  std::int64_t shots = 0, step = 0;
};

Window parseWindow(const std::string& text, std::int64_t most, const Decisions& d) {
  Window w;
  const char *at = text.data(), *const end = at + text.size();
  auto read = std::from_chars(at, end, w.shots);
  w.step = w.shots;
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == ',')
    read = std::from_chars(read.ptr + 1, end, w.step);
  if (read.ec != std::errc() || read.ptr != end || w.shots < 1 || w.step < 1)
    throw Error(d.problem(), "sliding-window \"" + text + "\" is not a window",
                "Use none, or shots and step, as in 34,13");
  if (w.shots > most)
    throw Error(d.problem(),
                "a window of " + std::to_string(w.shots) + " shots is longer than the scan, which has " +
                    std::to_string(most),
                "Use a shorter window");
  return w;
}

// The mean time of each window's shots; empty: the shots have none.
std::vector<double> windowTimes(const std::vector<double>& shotTimes, const Window& w, std::int64_t windows) {
  std::vector<double> times;
  if (shotTimes.empty()) return times;
  for (std::int64_t n = 0; n < windows; ++n) {
    const auto first = shotTimes.begin() + n * w.step;
    times.push_back(std::accumulate(first, first + w.shots, 0.0) / double(w.shots));
  }
  return times;
}

}  // namespace

bool slidesWindow(const Decisions& d) {
  const std::string asked = d.override(topic);
  return !asked.empty() && asked != "none";
}

void slideWindow(Scan& scan, const std::string& frames, Decisions& d) {
  const std::string asked = d.override(topic);
  const std::int64_t shots = scan.frames == 1 ? scan.trajectories.front().shots() : 0;
  if (asked.empty() && shots < 2 * exampleWindow) return;
  const std::string example = std::to_string(exampleWindow) + ',' + std::to_string(exampleStep);
  const std::string choice = d.decide(topic, "none",
                                      "the shots are one frame; as shots,step (" + example +
                                          ") windows of consecutive shots become frames, which may overlap",
                                      {"none", example});
  if (choice == "none") return;
  if (scan.frames > 1)
    throw Error(
        d.problem(),
        "a sliding window needs the shots in one frame, and the scan has " + countText(scan.frames, "frame"),
        "Choose frames = merge as well, or sliding-window = none");
  const Window w = parseWindow(choice, shots, d);
  const std::int64_t windows = (shots - w.shots) / w.step + 1;
  const std::vector<int> kept = numberList(frames, int(windows), d.problem());
  const FrameAxis time{
      FrameMeaning::time, int(windows),
      windowTimes(scan.shotTimes.empty() ? std::vector<double>{} : scan.shotTimes.front(), w, windows)};
  std::vector<std::vector<int>> parts;
  for (const int f : kept) {
    parts.emplace_back(std::size_t(w.shots));
    std::iota(parts.back().begin(), parts.back().end(), int(f * w.step));
  }
  divideShots(scan, parts,
              countText(std::int64_t(kept.size()), "window") + " of " + countText(w.shots, "shot"), d);
  scan.frameAxes = FrameAxes::grid({time}).select(kept);
  const std::int64_t left = shots - ((windows - 1) * w.step + w.shots);
  d.note("windows", countText(windows, "frame") + (frames.empty() ? "" : ", of them " + frames),
         countText(w.shots, "shot") + " each, " + countText(w.step, "shot") + " from one to the next" +
             (left > 0 ? "; the last " + countText(left, "shot") + " left out" : ""));
}

}  // namespace spokelab
