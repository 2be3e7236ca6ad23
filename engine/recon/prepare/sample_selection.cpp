#include "engine/recon/prepare/sample_selection.h"

#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t pickedPerTask = 1 << 15;
constexpr double secondsPerMillisecond = 1e-3;

std::string problem(const std::string& name, const std::string& value) {
  return "Cannot use " + name + " = " + value;
}

std::vector<char> marked(const std::string& list, std::int64_t count, const std::string& name) {
  std::vector<char> mask(std::size_t(count), 0);
  for (const int n : selection(list, int(count), name)) mask[std::size_t(n)] = 1;
  return mask;
}

std::int64_t longestShot(const Trajectory& t) {
  std::int64_t longest = 0;
  for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s)
    longest = std::max(longest, t.shotOffsets[s + 1] - t.shotOffsets[s]);
  return longest;
}

std::string span(double low, double high, const char* unit) {
  return numberText(low) + " ... " + numberText(high) + ' ' + unit;
}

// Shots that the options name, and that were measured in their window of time.
std::vector<char> shotsAskedFor(const Scan& scan, int frame, const ReconOptions& options) {
  const Trajectory& t = scan.trajectory(frame);
  std::vector<char> mask;
  if (t.shotNumbers.empty()) {
    mask = marked(options.shots, t.shots(), "shots");
  } else {  // the file's numbers, of which some were left out
    const std::vector<char> markedShots = marked(options.shots, t.wholeShots, "shots");
    for (const int n : t.shotNumbers) mask.push_back(markedShots[std::size_t(n)]);
  }
  if (options.scanWindow.empty()) return mask;
  const std::string summary = problem("scan-time", options.scanWindow);
  const NumberWindow window = numberWindow(options.scanWindow, summary);
  if (scan.shotTimes.empty())
    throw Error(summary, "the scan does not say when its shots were measured", "Name shots instead (shots)");
  const std::vector<double>& times = scan.shotTimes[std::size_t(frame)];
  bool any = false;
  for (std::size_t s = 0; s < mask.size(); ++s) {
    if (!window.contains(times[s])) mask[s] = 0;
    any = any || mask[s];
  }
  if (!any) {
    const auto [first, last] = std::minmax_element(times.begin(), times.end());
    throw Error(summary,
                "none of the chosen shots of frame " + std::to_string(frame) +
                    " was measured then; the frame was at " + span(*first, *last, "s"),
                "Choose another window, or only frames that lie in it (frames)");
  }
  return mask;
}

Trajectory part(const Trajectory& t, const SampleChoice& choice, bool keepWeights) {
  Trajectory chosen;
  chosen.dims = t.dims;
  chosen.shotOffsets = choice.offsets;
  for (const int s : choice.shots)
    chosen.shotNumbers.push_back(t.shotNumbers.empty() ? s : t.shotNumbers[std::size_t(s)]);
  chosen.wholeShots = t.shotNumbers.empty() ? t.shots() : t.wholeShots;
  const auto dims = std::size_t(t.dims);
  chosen.points.reserve(choice.samples.size() * dims);
  for (const std::int64_t s : choice.samples)
    for (std::size_t d = 0; d < dims; ++d) chosen.points.push_back(t.points[std::size_t(s) * dims + d]);
  const auto copy = [&](const std::vector<double>& from, std::vector<double>& to) {
    to.reserve(choice.samples.size());
    for (const std::int64_t s : choice.samples) to.push_back(from[std::size_t(s)]);
  };
  if (!t.times.empty()) copy(t.times, chosen.times);
  if (!t.secondOrder.empty())
    for (const std::int64_t s : choice.samples) chosen.secondOrder.push_back(t.secondOrder[std::size_t(s)]);
  if (!t.weights.empty() && keepWeights) copy(t.weights, chosen.weights);
  return chosen;
}

}  // namespace

std::vector<std::string> selectionOptions() {
  std::vector<std::string> names = optionsServing(OptionUse::samples);
  for (std::string& name : optionsServing(OptionUse::coils)) names.push_back(std::move(name));
  return names;
}

std::string selectionText(const ReconOptions& options) {
  std::string text;
  for (const std::string& name : selectionOptions())
    if (const std::string value = optionValue(options, name); !value.empty())
      text += (text.empty() ? "" : ", ") + name + ' ' + value;
  return text;
}

bool selectsSamples(const ReconOptions& o) {
  const auto some = [](const std::string& list) { return !list.empty() && list != "all"; };
  return some(o.shots) || some(o.samples) || !o.readoutWindow.empty() || !o.scanWindow.empty();
}

ReconOptions withoutSampleSelection(ReconOptions options) {
  options.shots.clear();
  options.samples.clear();
  options.readoutWindow.clear();
  options.scanWindow.clear();
  return options;
}

SampleChoice chooseSamples(const Scan& scan, int frame, const ReconOptions& options) {
  if (!selectsSamples(options)) return {};
  const Trajectory& t = scan.trajectory(frame);
  const std::vector<char> shots = shotsAskedFor(scan, frame, options);
  const std::vector<char> inShot = marked(options.samples, longestShot(t), "samples");
  const bool timed = !options.readoutWindow.empty();
  const std::string summary = problem("readout-time", options.readoutWindow);
  const NumberWindow window = timed ? numberWindow(options.readoutWindow, summary) : NumberWindow{};
  if (timed && t.times.empty())
    throw Error(summary, "the scan does not say at which times its samples were taken",
                "Choose samples by their numbers instead (samples)");
  SampleChoice choice;
  for (std::int64_t shot = 0; shot < t.shots(); ++shot) {
    if (!shots[std::size_t(shot)]) continue;
    const std::int64_t begin = t.shotOffsets[std::size_t(shot)], end = t.shotOffsets[std::size_t(shot) + 1];
    for (std::int64_t j = begin; j < end; ++j)
      if (inShot[std::size_t(j - begin)] &&
          (!timed || window.contains(t.times[std::size_t(j)] / secondsPerMillisecond)))
        choice.samples.push_back(j);
    if (std::int64_t(choice.samples.size()) == choice.offsets.back()) continue;
    choice.offsets.push_back(std::int64_t(choice.samples.size()));
    choice.shots.push_back(int(shot));
  }
  if (choice.samples.empty() && timed) {
    const auto [first, last] = std::minmax_element(t.times.begin(), t.times.end());
    throw Error(summary,
                "it has none of the chosen samples; the readouts reach over " +
                    span(*first / secondsPerMillisecond, *last / secondsPerMillisecond, "ms"),
                "Choose another window");
  }
  if (choice.samples.empty())
    throw Error("Cannot reconstruct " + scan.name, "the chosen shots have none of the chosen samples",
                "Choose more with shots and samples");
  return choice;
}

Trajectory selectedTrajectory(const Scan& scan, int frame, const ReconOptions& options,
                              const SampleChoice& choice) {
  const Trajectory& t = scan.trajectory(frame);
  return choice.empty() ? t : part(t, choice, options.density == DensityMethod::file);
}

std::shared_ptr<const Scan> selectSamples(const Scan& scan, const JobPlan& job, const Progress& progress) {
  const ReconOptions& options = job.options;
  if (!selectsSamples(options)) return nullptr;
  progress.report(0, "Selecting samples");
  const std::vector<int>& frames = job.frames;
  const bool shared = scan.trajectories.size() == 1 && options.scanWindow.empty();
  const bool keepWeights = options.density == DensityMethod::file;
  const bool wide = scan.isDouble() && options.inDouble();
  auto result = describedAs(scan);
  result->noise = scan.noise;
  result->trajectories.resize(shared ? 1 : std::size_t(scan.frames));
  for (Trajectory& t : result->trajectories) t.dims = scan.dims();
  result->samples.resize(std::size_t(scan.frames));
  SampleChoice choice;
  Decision made;
  made.topic = "selection";
  made.choice = selectionText(options);
  made.overridden = true;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    progress.report(double(i) / double(frames.size()), "Selecting samples");
    const int f = frames[i];
    if (i == 0 || !shared) {
      choice = chooseSamples(scan, f, options);
      result->trajectories[shared ? 0 : std::size_t(f)] = part(scan.trajectory(f), choice, keepWeights);
    }
    if (i == 0) made.evidence = describeSelection(scan, f, job, choice);
    const auto count = std::int64_t(choice.samples.size()), lines = std::int64_t(scan.slices) * scan.coils;
    if (i == 0)
      requireMemory(double(count) * double(lines) * double(frames.size()) * Scan::bytesPerSample(wide),
                    "Cannot select samples of " + scan.name, "a copy of them",
                    "Choose fewer samples or frames");
    result->makeRoom(f, lines * count, wide);
    const auto pick = [&]<class Complex>(const Complex* from, Complex* to) {
      parallelFor(count, options.nufft.threads, pickedPerTask, [&](std::int64_t begin, std::int64_t end) {
        progress.checkpoint();
        for (std::int64_t j = begin; j < end; ++j) to[j] = from[choice.samples[std::size_t(j)]];
      });
    };
    for (int slice = 0; slice < scan.slices; ++slice)
      for (int coil = 0; coil < scan.coils; ++coil)
        result->change(f, slice, coil,
                       [&]<class Complex>(Complex* to) { pick(scan.data<Complex>(f, slice, coil), to); });
  }
  result->decisions.push_back(std::move(made));
  return result;
}

std::string describeSelection(const Scan& scan, int frame, const JobPlan& job, const SampleChoice& choice) {
  const Trajectory& t = scan.trajectory(frame);
  const std::string shotCount = countText(t.shots(), "shot");
  std::string text = "all " + shotCount;
  if (!choice.empty()) {
    std::int64_t before = 0;
    for (const int s : choice.shots)
      before += t.shotOffsets[std::size_t(s) + 1] - t.shotOffsets[std::size_t(s)];
    if (std::int64_t(choice.shots.size()) < t.shots())
      text = std::to_string(choice.shots.size()) + " of " + shotCount;
    if (std::int64_t(choice.samples.size()) < before)
      text +=
          ", " + std::to_string(choice.samples.size()) + " of their " + std::to_string(before) + " samples";
  }
  const int coils = int(job.coilsKept.size());
  if (coils < scan.coils)
    text += ", " + std::to_string(coils) + " of " + std::to_string(scan.coils) + " coils";
  return text;
}

}  // namespace spokelab
