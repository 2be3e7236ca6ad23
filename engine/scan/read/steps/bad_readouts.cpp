#include "engine/scan/read/steps/bad_readouts.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/scan/read/sample_follower.h"

namespace spokelab {
namespace {

constexpr const char *leaveOut = "leave-out", *refuse = "refuse";
constexpr std::size_t maxNamed = 20;  // numbers in a message

std::string namesOf(std::vector<int> numbers) {
  const bool more = numbers.size() > maxNamed;
  if (more) numbers.resize(maxNamed);
  return numberListText(numbers) + (more ? ", ..." : "");
}

[[noreturn]] void refuseThem(const Decisions& d, const std::string& what) {
  throw Error(d.problem(), what,
              "Leave them out (bad-readouts=leave-out, or --shots without them), or repair them in the "
              "program that wrote the file");
}

// Marks the selected ones of `count` things; an empty list selects all.
std::vector<char> asked(const std::string& list, std::int64_t count) {
  std::vector<char> mask(std::size_t(count), list.empty() || list == "all");
  if (mask.empty() || mask.front()) return mask;
  try {
    for (const int n : numberList(list, int(count), "")) mask[std::size_t(n)] = 1;
  } catch (const Error&) {  // whoever uses the list says what is wrong with it
    mask.assign(mask.size(), 1);
  }
  return mask;
}

template <class Complex>
bool finite(const Complex& v) {
  return std::isfinite(v.real()) && std::isfinite(v.imag());
}

// True if the selected samples of a shot are finite; sets the others to finite values.
template <class Complex>
bool soundShot(Complex* samples, std::int64_t count, const std::vector<char>& isSelected) {
  if (allFinite(samples, count)) return true;
  bool sound = true;
  for (std::int64_t i = 0; i < count; ++i) {
    if (finite(samples[i])) continue;
    if (isSelected[std::size_t(i)])
      sound = false;
    else
      samples[i] = 0;
  }
  return sound;
}

using ShotMask = std::vector<char>;  // [shot]: it is left out

std::int64_t longestShot(const Trajectory& t) {
  std::int64_t longest = 0;
  for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s)
    longest = std::max(longest, t.shotOffsets[s + 1] - t.shotOffsets[s]);
  return longest;
}

void markBadSamples(Scan& scan, int frame, const std::vector<char>& isSelected, ShotMask& bad) {
  const Trajectory& t = scan.trajectory(frame);
  for (int z = 0; z < scan.slices; ++z)
    for (int c = 0; c < scan.coils; ++c)
      scan.change(frame, z, c, [&](auto* samples) {
        for (std::size_t s = 0; s < bad.size(); ++s) {
          const std::int64_t first = t.shotOffsets[s];
          if (!soundShot(samples + first, t.shotOffsets[s + 1] - first, isSelected)) bad[s] = 1;
        }
      });
}

Trajectory without(const Trajectory& t, const ShotMask& bad) {
  Trajectory goodShots;
  goodShots.dims = t.dims;
  goodShots.wholeShots = t.shotNumbers.empty() ? t.shots() : t.wholeShots;
  for (std::size_t s = 0; s < bad.size(); ++s) {
    if (bad[s]) continue;
    const auto first = std::ptrdiff_t(t.shotOffsets[s]), last = std::ptrdiff_t(t.shotOffsets[s + 1]);
    goodShots.shotNumbers.push_back(t.shotNumbers.empty() ? int(s) : t.shotNumbers[s]);
    goodShots.shotOffsets.push_back(goodShots.shotOffsets.back() + last - first);
    goodShots.points.insert(goodShots.points.end(), t.points.begin() + first * t.dims,
                            t.points.begin() + last * t.dims);
    if (!t.weights.empty())
      goodShots.weights.insert(goodShots.weights.end(), t.weights.begin() + first, t.weights.begin() + last);
    if (!t.times.empty())
      goodShots.times.insert(goodShots.times.end(), t.times.begin() + first, t.times.begin() + last);
  }
  return goodShots;
}

// Moves kept samples together; `rows` runs of a trajectory's samples follow each other.
template <class Complex>
void compact(Buffer<Complex>& samples, const Trajectory& t, const ShotMask& bad) {
  if (samples.empty()) return;
  const std::int64_t all = t.samples();
  auto to = samples.begin();
  for (std::int64_t row = 0; row < std::int64_t(samples.size()); row += all)
    for (std::size_t s = 0; s < bad.size(); ++s)
      if (!bad[s])
        to = std::copy(samples.begin() + row + t.shotOffsets[s], samples.begin() + row + t.shotOffsets[s + 1],
                       to);
  samples.resize(std::size_t(to - samples.begin()));
}

std::vector<int> numbersOf(const ShotMask& bad) {
  std::vector<int> numbers;
  for (std::size_t s = 0; s < bad.size(); ++s)
    if (bad[s]) numbers.push_back(int(s));
  return numbers;
}

void dropShots(Scan& scan, const std::vector<ShotMask>& bad) {
  tellSamplesChange();
  const bool alike = std::all_of(bad.begin(), bad.end(), [&](const ShotMask& m) { return m == bad.front(); });
  if (scan.trajectories.size() == 1 && !alike)
    scan.trajectories.resize(std::size_t(scan.frames), scan.trajectories.front());
  for (int f = 0; f < scan.frames; ++f) {
    const auto frame = std::size_t(f);
    compact(scan.samples[frame], scan.trajectory(f), bad[frame]);
    if (scan.isDouble()) compact(scan.doubleSamples[frame], scan.trajectory(f), bad[frame]);
    if (scan.shotTimes.empty()) continue;
    std::vector<double> kept;
    for (std::size_t s = 0; s < bad[frame].size(); ++s)
      if (!bad[frame][s]) kept.push_back(scan.shotTimes[frame][s]);
    scan.shotTimes[frame] = std::move(kept);
  }
  for (std::size_t f = 0; f < scan.trajectories.size(); ++f)
    scan.trajectories[f] = without(scan.trajectories[f], bad[f]);
}

// "3 of 100 shots: 37, 40-41", or for several frames "frame 2: 37; frame 5: 1".
std::string describe(const Scan& scan, const std::vector<ShotMask>& bad) {
  std::int64_t count = 0, all = 0;
  std::string names;
  constexpr int maxFrames = 5;
  int frames = 0;
  for (int f = 0; f < scan.frames; ++f) {
    const std::vector<int> numbers = numbersOf(bad[std::size_t(f)]);
    count += std::int64_t(numbers.size());
    all += std::int64_t(bad[std::size_t(f)].size());
    if (numbers.empty() || ++frames > maxFrames) continue;
    names += (names.empty() ? "" : "; ") +
             (scan.frames > 1 ? "frame " + std::to_string(f) + ": " : std::string()) + namesOf(numbers);
  }
  if (frames > maxFrames) names += "; ...";
  return std::to_string(count) + " of " + countText(all, "shot") + " (" + names + ")";
}

}  // namespace

void replaceBadLines(RawTrajectory& raw, const Decisions& d) {
  const auto bad = std::count(raw.bad.begin(), raw.bad.end(), 1);
  if (bad == 0) {
    raw.bad.clear();
    return;
  }
  const std::size_t lines = raw.bad.size();
  if (bad == std::ptrdiff_t(lines))
    throw Error(d.problem(), "no readout has coordinates that are all finite (" + raw.badText + ")",
                "Repair the trajectory in the program that wrote the file");
  std::size_t sound = std::size_t(std::find(raw.bad.begin(), raw.bad.end(), 0) - raw.bad.begin());
  for (std::size_t p = 0; p < lines; ++p) {
    if (!raw.bad[p]) {
      sound = p;
      continue;
    }
    const std::int64_t from = raw.offsets[sound], last = raw.offsets[sound + 1] - 1;
    if (last < from) continue;
    for (std::int64_t j = raw.offsets[p]; j < raw.offsets[p + 1]; ++j) {
      const std::int64_t source = std::min(from + j - raw.offsets[p], last);
      std::copy_n(raw.values.begin() + source * raw.columns, raw.columns,
                  raw.values.begin() + j * raw.columns);
    }
  }
}

std::int64_t leaveOutWithoutTrajectory(const std::vector<AcquisitionHead>& heads, Selection& s,
                                       Decisions& d) {
  const auto lacks = [&](std::int64_t i) { return heads[std::size_t(i)].trajectory_dimensions == 0; };
  std::vector<int> numbers;
  for (const std::int64_t i : s.imaging)
    if (lacks(i)) numbers.push_back(int(i));
  if (numbers.empty() || 2 * numbers.size() >= s.imaging.size()) return 0;
  const std::string what = countText(std::int64_t(numbers.size()), "line has", "lines have") +
                           " no trajectory (acquisitions " + namesOf(numbers) + ")";
  if (d.override(badReadoutsTopic) == refuse) refuseThem(d, what);
  std::erase_if(s.imaging, lacks);
  d.warn(what + " and will be left out");
  return std::int64_t(numbers.size());
}

bool leaveOutBadReadouts(Scan& scan, const RawTrajectory& raw, Groups& groups, bool samplesAreFinite,
                         Decisions& d, const Progress& progress) {
  std::vector<ShotMask> bad(std::size_t(scan.frames));
  std::vector<char> everywhere;  // shots with bad coordinates of a trajectory that frames share
  bool coordinates = false, any = false;
  for (int f = 0; f < scan.frames; ++f) {
    progress.checkpoint();
    const Trajectory& t = scan.trajectory(f);
    ShotMask& mask = bad[std::size_t(f)];
    mask.assign(std::size_t(t.shots()), 0);
    if (!raw.bad.empty())
      for (const auto& slice : groups.lines[std::size_t(f)])
        for (std::size_t s = 0; s < slice.size() && s < mask.size(); ++s)
          if (raw.bad[slice[s]]) mask[s] = 1;
    coordinates = coordinates || std::count(mask.begin(), mask.end(), 1) > 0;
    if (scan.trajectories.size() == 1) {
      everywhere.resize(mask.size());
      for (std::size_t s = 0; s < mask.size(); ++s) everywhere[s] = char(everywhere[s] | mask[s]);
    }
  }
  const std::string shots = d.selection.shots, samples = d.selection.samples;
  bool refused = false;
  for (int f = 0; f < scan.frames; ++f) {
    const Trajectory& t = scan.trajectory(f);
    ShotMask& mask = bad[std::size_t(f)];
    for (std::size_t s = 0; s < everywhere.size(); ++s) mask[s] = char(mask[s] | everywhere[s]);
    if (!samplesAreFinite) markBadSamples(scan, f, asked(samples, longestShot(t)), mask);
    const std::vector<char> wanted = asked(shots, t.shots());
    for (std::size_t s = 0; s < mask.size(); ++s) {
      any = any || mask[s];
      refused = refused || (mask[s] && wanted[s]);
    }
    if (std::all_of(mask.begin(), mask.end(), [](char left) { return left != 0; }))
      throw Error(d.problem(), "each shot of frame " + std::to_string(f) + " has numbers that are not finite",
                  "Read other frames (decision read-frames), or repair the file");
  }
  if (!any) return true;
  const std::string what = describe(scan, bad) +
                           (coordinates ? " have coordinates or samples" : " have samples") +
                           " that are not finite";
  const std::string choice = d.decide(badReadoutsTopic, leaveOut, what, {leaveOut, refuse});
  if (choice == refuse && refused) {
    if (coordinates) refuseThem(d, raw.badText);
    return false;  // validate() names the samples
  }
  dropShots(scan, bad);
  for (std::size_t f = 0; f < bad.size(); ++f)
    for (auto& lines : groups.lines[f]) {
      std::vector<std::size_t> kept;
      for (std::size_t s = 0; s < lines.size(); ++s)
        if (!bad[f][s]) kept.push_back(lines[s]);
      lines = std::move(kept);
    }
  d.warn(what + " and were left out");
  return true;
}

}  // namespace spokelab
