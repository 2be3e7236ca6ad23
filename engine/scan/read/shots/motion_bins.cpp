#include "engine/scan/read/shots/motion_bins.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <numeric>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/scan/read/shots/motion_signal.h"
#include "engine/scan/read/shots/shot_frames.h"

namespace spokelab {
namespace {

constexpr const char* breathingTopic = "breathing";
constexpr const char* heartTopic = "heart";
constexpr const char *exampleBreaths = "4", *exampleBeats = "8";
constexpr int maxBins = 64;

std::optional<int> wholeNumber(const std::string& text) {
  int value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return {};
  return value;
}

// Divides these shots, sorted by signal, into bins of equal counts (to one); `from`: the first.
void divideEqually(const std::vector<double>& signal, std::vector<int> shots, int bins, int from,
                   std::vector<int>& bin) {
  std::stable_sort(shots.begin(), shots.end(),
                   [&](int a, int b) { return signal[std::size_t(a)] < signal[std::size_t(b)]; });
  for (std::size_t i = 0; i < shots.size(); ++i)
    bin[std::size_t(shots[i])] = from + int(i * std::size_t(bins) / shots.size());
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
  // A file of bins may skip numbers.
  for (std::size_t b = 0; b < shots.size(); ++b)
    if (shots[b].empty())
      throw Error(d.problem(), "bin " + std::to_string(b) + " has no shots", "Use fewer bins");
  if (shots.empty()) throw Error(d.problem(), "no shot has a bin", "Give shots a bin from 0 on");
  return shots;
}

// The number of bins that a decision asks for; 0: it is no number, perhaps a file.
int askedBins(const std::string& topic, const std::string& text, std::int64_t shots, const Decisions& d) {
  const std::optional<int> count = wholeNumber(text);
  const std::int64_t maxCount = std::min<std::int64_t>(maxBins, shots);
  if (count && (*count < 2 || *count > maxCount))
    throw Error(d.problem(), text + " bins of " + countText(shots, "shot") + " are not possible",
                maxCount < 2 ? "Use " + topic + " = none" : "Use 2 to " + std::to_string(maxCount));
  return count.value_or(0);
}

bool isAsked(const Decisions& d, const char* topic) {
  const std::string asked = d.override(topic);
  return !asked.empty() && asked != "none";
}

struct MotionBins {
  std::vector<int> bin;  // [shot]
  int breaths = 1, beats = 1;
};

// Divides the shots by breathing, and each bin by the heart's phase (0: one bin).
MotionBins binsOfSignals(Scan& scan, int breaths, int beats, std::string& breathEvidence, Decisions& d) {
  const auto shots = std::size_t(scan.trajectories.front().shots());
  MotionBins bins{std::vector<int>(shots), std::max(1, breaths), std::max(1, beats)};
  std::vector<int> all(shots);
  std::iota(all.begin(), all.end(), 0);
  if (breaths > 0) {
    const MotionSignal signal = breathSignal(scan, d);
    breathEvidence = signal.evidence;
    divideEqually(signal.values, all, breaths, 0, bins.bin);
    scan.arrays.push_back(arrayOfShots(breathingSignalName, signal.values));
  }
  if (beats > 0) {
    const MotionSignal signal = heartSignal(scan, d);
    d.decide(heartTopic, "none", signal.evidence, {"none", exampleBeats});
    std::vector<std::vector<int>> parts(std::size_t(bins.breaths));
    for (const int s : all) parts[std::size_t(bins.bin[std::size_t(s)])].push_back(s);
    for (std::size_t b = 0; b < parts.size(); ++b)
      divideEqually(signal.values, parts[b], beats, int(b) * beats, bins.bin);
    scan.arrays.push_back(arrayOfShots(heartSignalName, signal.values));
  }
  return bins;
}

}  // namespace

bool binsMotion(const Decisions& d) {
  return isAsked(d, breathingTopic) || isAsked(d, heartTopic);
}

void binMotion(Scan& scan, const std::string& frames, Decisions& d) {
  if (!binsMotion(d)) return;
  const bool breathes = isAsked(d, breathingTopic), beats = isAsked(d, heartTopic);
  if (scan.frames > 1)
    throw Error(
        d.problem(),
        "bins of motion need the shots in one frame, and the scan has " + countText(scan.frames, "frame"),
        "Choose frames = merge as well, leave out sliding-window, or breathing and heart = none");
  if (scan.slices > 1)
    throw Error(d.problem(),
                "slices are measured at different times, and bins of motion hold for all of them",
                "Read one slice (read-slices), or breathing and heart = none");
  const std::int64_t shots = scan.trajectories.front().shots();
  const std::string asked = d.override(breathingTopic);
  const int breaths = breathes ? askedBins(breathingTopic, asked, shots, d) : 0;
  const int phases =
      beats ? askedBins(heartTopic, d.override(heartTopic), shots / std::max(1, breaths), d) : 0;
  if (beats && phases == 0)
    throw Error(d.problem(), "heart \"" + d.override(heartTopic) + "\" is not a number of bins",
                "Use none, or a number such as 8; a file of bins is given as breathing = FILE");
  MotionBins bins;
  std::string evidence = "the bin of each shot is the file's";
  if (breathes && breaths == 0) {
    if (beats)
      throw Error(d.problem(), "the file of breathing has the bins of all shots, and heart asks for more",
                  "Leave out heart, or the file");
    bins.bin = binsOfFile(asked, shots, d);
  } else {
    bins = binsOfSignals(scan, breaths, phases, evidence, d);
  }
  if (breathes) d.decide(breathingTopic, "none", evidence, {"none", exampleBreaths});
  scan.arrays.push_back(arrayOfShots(motionBinsName, bins.bin));
  const std::vector<std::vector<int>> shotsOfBin = shotsOfBins(bins.bin, d);
  const std::vector<int> kept = numberList(frames, int(shotsOfBin.size()), d.problem());
  std::vector<std::vector<int>> parts;
  std::size_t least = shotsOfBin.front().size(), most = 0;
  for (const int b : kept) {
    parts.push_back(shotsOfBin[std::size_t(b)]);
    least = std::min(least, parts.back().size());
    most = std::max(most, parts.back().size());
  }
  divideShots(scan, parts, countText(std::int64_t(kept.size()), "bin") + " of motion", d);
  // With both motions the frames' axes are set (breathing) and phase (heart); with one it is phase.
  const FrameAxes axes =
      bins.beats > 1 && bins.breaths > 1
          ? FrameAxes::grid({{FrameMeaning::set, bins.breaths, {}}, {FrameMeaning::phase, bins.beats, {}}})
          : FrameAxes::grid({{FrameMeaning::phase, int(shotsOfBin.size()), {}}});
  scan.frameAxes = axes.select(kept);
  const auto left = std::count(bins.bin.begin(), bins.bin.end(), -1);
  d.note("bins",
         countText(std::int64_t(shotsOfBin.size()), "frame") + (frames.empty() ? "" : ", of them " + frames),
         (least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most)) +
             " shots each" + (left > 0 ? "; " + countText(left, "shot") + " left out" : ""));
}

}  // namespace spokelab
