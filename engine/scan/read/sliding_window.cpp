#include "engine/scan/read/sliding_window.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"

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

// The samples from `first` on, `count` a coil, of all slices and coils.
template <class Complex>
Buffer<Complex> cut(const Buffer<Complex>& all, std::int64_t rows, std::int64_t first, std::int64_t count) {
  const auto whole = std::int64_t(all.size()) / rows;
  Buffer<Complex> part;
  part.reserve(std::size_t(rows * count));
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto begin = all.begin() + r * whole + first;
    part.insert(part.end(), begin, begin + count);
  }
  return part;
}

Trajectory cut(const Trajectory& t, std::int64_t shot, std::int64_t shots) {
  Trajectory part;
  part.dims = t.dims;
  const auto offset = [&](std::int64_t s) { return t.shotOffsets[std::size_t(s)]; };
  const std::int64_t first = offset(shot), last = offset(shot + shots);
  part.shotOffsets.clear();
  for (std::int64_t s = shot; s <= shot + shots; ++s) part.shotOffsets.push_back(offset(s) - first);
  part.points.assign(t.points.begin() + first * t.dims, t.points.begin() + last * t.dims);
  if (!t.times.empty()) part.times.assign(t.times.begin() + first, t.times.begin() + last);
  return part;
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
  const std::int64_t windows = (shots - w.shots) / w.step + 1, rows = std::int64_t(scan.slices) * scan.coils;
  const std::vector<int> kept = numberList(frames, int(windows), d.problem());
  const Trajectory whole = std::move(scan.trajectories.front());
  const Buffer<cfloat> samples = std::move(scan.samples.front());
  const bool isDouble = scan.isDouble();
  const Buffer<cdouble> doubles = isDouble ? std::move(scan.doubleSamples.front()) : Buffer<cdouble>{};
  const std::vector<double> times =
      scan.shotTimes.empty() ? std::vector<double>{} : std::move(scan.shotTimes.front());
  const double share = double(std::int64_t(kept.size()) * w.shots) / double(shots);
  requireMemory(share * (double(samples.size()) * Scan::bytesPerSample(isDouble) +
                         double(whole.points.size() + whole.times.size()) * sizeof(double)),
                d.problem(),
                countText(std::int64_t(kept.size()), "window") + " of " + countText(w.shots, "shot"),
                "Use a larger step, or read fewer frames");
  scan.trajectories.clear();
  scan.samples.clear();
  scan.doubleSamples.clear();
  scan.shotTimes.clear();
  scan.frames = int(kept.size());
  scan.frameAxes =
      FrameAxes::grid({{FrameMeaning::time, int(windows), windowTimes(times, w, windows)}}).select(kept);
  for (const int f : kept) {
    const std::int64_t shot = f * w.step, first = whole.shotOffsets[std::size_t(shot)];
    Trajectory part = cut(whole, shot, w.shots);
    const std::int64_t count = part.samples();
    scan.samples.push_back(cut(samples, rows, first, count));
    if (isDouble) scan.doubleSamples.push_back(cut(doubles, rows, first, count));
    if (!times.empty()) scan.shotTimes.emplace_back(times.begin() + shot, times.begin() + shot + w.shots);
    scan.trajectories.push_back(std::move(part));
  }
  const std::int64_t left = shots - ((windows - 1) * w.step + w.shots);
  d.note("windows", countText(windows, "frame") + (frames.empty() ? "" : ", of them " + frames),
         countText(w.shots, "shot") + " each, " + countText(w.step, "shot") + " from one to the next" +
             (left > 0 ? "; the last " + countText(left, "shot") + " left out" : ""));
  if (!whole.weights.empty())
    d.warn("The file's density weights are areas of the whole pattern; its windows have none");
}

}  // namespace spokelab
