#include "engine/scan/read/shots/breathing_bins.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <numeric>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/scan/read/shots/breathing_signal.h"
#include "engine/scan/read/shots/shot_frames.h"

namespace spokelab {
namespace {

constexpr const char* breathingTopic = "breathing";
constexpr const char* exampleBins = "4";
constexpr int maxBins = 64;

std::optional<int> wholeNumber(const std::string& text) {
  int value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return {};
  return value;
}

// Bins of equal counts, up to one, in the order of the signal.
std::vector<int> equalBins(const std::vector<double>& signal, int bins) {
  std::vector<int> order(signal.size()), bin(signal.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return signal[std::size_t(a)] < signal[std::size_t(b)]; });
  for (std::size_t i = 0; i < order.size(); ++i)
    bin[std::size_t(order[i])] = int(i * std::size_t(bins) / order.size());
  return bin;
}

std::vector<int> binsOfFile(const std::string& file, std::int64_t shots, const Decisions& d) {
  const char* const remedy = "Write a number for each shot, from 0 on, or -1 to leave it out";
  std::ifstream in(file);
  if (!in)
    throw Error(d.problem(), "breathing \"" + file + "\" is neither a number of bins nor a file",
                "Use none, a number such as 4, or a text file with the bin of each shot");
  std::vector<int> bins;
  for (std::string word; in >> word;) {
    const auto bin = wholeNumber(word);
    if (!bin || *bin < -1 || *bin >= maxBins)
      throw Error(d.problem(), file + " holds \"" + word.substr(0, 20) + "\", which is not a bin", remedy);
    bins.push_back(*bin);
    if (std::int64_t(bins.size()) > shots) break;
  }
  if (std::int64_t(bins.size()) != shots)
    throw Error(d.problem(),
                file + " has " + (std::int64_t(bins.size()) > shots ? "more" : std::to_string(bins.size())) +
                    " bins, and the scan has " + countText(shots, "shot"),
                remedy);
  return bins;
}

NamedArray arrayOfShots(const char* name, const auto& values) {
  NamedArray array{name, {std::int64_t(values.size())}, {}, false};
  for (const auto v : values) array.values.push_back(cfloat(float(v)));
  return array;
}

// [bin]: its shots.
std::vector<std::vector<int>> shotsOfBins(const std::vector<int>& bins, const Decisions& d) {
  std::vector<std::vector<int>> shots(std::size_t(*std::max_element(bins.begin(), bins.end()) + 1));
  for (std::size_t s = 0; s < bins.size(); ++s)
    if (bins[s] >= 0) shots[std::size_t(bins[s])].push_back(int(s));
  for (std::size_t b = 0; b < shots.size(); ++b)
    if (shots[b].empty())
      throw Error(d.problem(), "bin " + std::to_string(b) + " has no shots", "Use fewer bins");
  if (shots.empty()) throw Error(d.problem(), "no shot has a bin", "Give shots a bin from 0 on");
  return shots;
}

}  // namespace

bool binsBreathing(const Decisions& d) {
  const std::string asked = d.override(breathingTopic);
  return !asked.empty() && asked != "none";
}

void binBreathing(Scan& scan, const std::string& frames, Decisions& d) {
  if (!binsBreathing(d)) return;
  const std::string asked = d.override(breathingTopic);
  if (scan.frames > 1)
    throw Error(
        d.problem(),
        "bins of breathing need the shots in one frame, and the scan has " + countText(scan.frames, "frame"),
        "Choose frames = merge as well, leave out sliding-window, or breathing = none");
  if (scan.slices > 1)
    throw Error(d.problem(),
                "slices are measured at different times, and bins of breathing hold for all of them",
                "Read one slice (read-slices), or breathing = none");
  const std::int64_t shots = scan.trajectories.front().shots();
  const std::optional<int> count = wholeNumber(asked);
  if (count && (*count < 2 || *count > std::min<std::int64_t>(maxBins, shots)))
    throw Error(d.problem(), asked + " bins of " + countText(shots, "shot") + " are not possible",
                "Use 2 to " + std::to_string(std::min<std::int64_t>(maxBins, shots)));
  std::vector<int> bins;
  std::string evidence = "the bin of each shot is the file's";
  if (count) {
    const BreathingSignal signal = breathingSignal(scan, d.problem());
    bins = equalBins(signal.values, *count);
    scan.arrays.push_back(arrayOfShots("BreathingSignal", signal.values));
    evidence = "by the magnitude at the centre of k-space in " + countText(signal.centred, "shot") +
               ", first principal component of " + countText(scan.coils, "coil") + " (" +
               numberText(100 * signal.share, 3) + " % of the variance); about " +
               countText(signal.breaths, "breath");
  } else {
    bins = binsOfFile(asked, shots, d);
  }
  d.decide(breathingTopic, "none", evidence, {"none", exampleBins});
  scan.arrays.push_back(arrayOfShots("BreathingBins", bins));
  const std::vector<std::vector<int>> all = shotsOfBins(bins, d);
  const std::vector<int> kept = numberList(frames, int(all.size()), d.problem());
  std::vector<std::vector<int>> parts;
  std::size_t least = all.front().size(), most = 0;
  for (const int b : kept) {
    parts.push_back(all[std::size_t(b)]);
    least = std::min(least, parts.back().size());
    most = std::max(most, parts.back().size());
  }
  divideShots(scan, parts, countText(std::int64_t(kept.size()), "bin") + " of breathing", d);
  scan.frameAxes = FrameAxes::grid({{FrameMeaning::phase, int(all.size()), {}}}).select(kept);
  const auto left = std::count(bins.begin(), bins.end(), -1);
  d.note("bins", countText(std::int64_t(all.size()), "frame") + (frames.empty() ? "" : ", of them " + frames),
         (least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most)) +
             " shots each" + (left > 0 ? "; " + countText(left, "shot") + " left out" : ""));
}

}  // namespace spokelab
