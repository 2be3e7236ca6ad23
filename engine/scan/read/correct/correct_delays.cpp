#include "engine/scan/read/correct/correct_delays.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/scan/formats/text_number.h"
#include "engine/scan/read/correct/fit_delays.h"
#include "engine/scan/read/sample_follower.h"

namespace spokelab {
namespace {

const char* const topicOfDelays = "gradient-delays";
constexpr std::size_t coilsToFit = 4;
constexpr std::int64_t enoughShots = 64;

std::int64_t shotLength(const Trajectory& t, const Decisions& d) {
  const std::int64_t length = t.shotOffsets[1];
  for (std::int64_t n = 0; n < t.shots(); ++n)
    if (t.shotOffsets[std::size_t(n + 1)] - t.shotOffsets[std::size_t(n)] != length)
      throw Error(d.problem(), "its shots differ in length, so gradient delays cannot be fitted",
                  "Use gradient-delays=none");
  return length;
}

struct ShotsToFit {
  CentreSamples samples;
  std::vector<double> points;
};

ShotsToFit shotsOf(const Scan& scan, int first, int count, std::int64_t length) {
  ShotsToFit s;
  s.samples.samples = length;
  s.samples.coils.resize(std::size_t(scan.coils));
  for (int f = first; f < first + count; ++f) {
    const Trajectory& t = scan.trajectory(f);
    s.samples.shots += t.shots();
    s.points.insert(s.points.end(), t.points.begin(), t.points.end());
    for (int c = 0; c < scan.coils; ++c) {
      const cfloat* const from = scan.data(f, scan.slices / 2, c);
      auto& coil = s.samples.coils[std::size_t(c)];
      coil.insert(coil.end(), from, from + t.samples());
    }
  }
  s.samples = strongestCoils(std::move(s.samples), coilsToFit);
  return s;
}

// The first frames that have enough shots for a fit.
int framesToFit(const Scan& scan) {
  if (scan.trajectories.size() == 1) return 1;
  std::int64_t shots = 0;
  for (int f = 0; f < scan.frames; ++f)
    if (shots += scan.trajectory(f).shots(); shots >= enoughShots) return f + 1;
  return scan.frames;
}

std::string delaysText(const Vec3& delays, int dims) {
  std::string text;
  for (int i = 0; i < dims; ++i) text += (i ? "," : "") + numberText(delays[std::size_t(i)], 3);
  return text;
}

// "0.3,-0.1"
std::optional<Vec3> givenDelays(const std::string& text, int dims) {
  Vec3 delays{0, 0, 0};
  std::size_t begin = 0;
  for (int i = 0; i < dims; ++i) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if ((end == text.size()) != (i + 1 == dims)) return std::nullopt;
    const double value = textNumber(text.substr(begin, end - begin));
    if (!std::isfinite(value)) return std::nullopt;
    delays[std::size_t(i)] = value;
    begin = end + 1;
  }
  return delays;
}

void moveShots(Scan& scan, const Decisions& d, const Progress& progress) {
  constexpr int rounds = 4;
  for (std::size_t f = 0; f < scan.trajectories.size(); ++f) {
    Trajectory& t = scan.trajectories[f];
    const std::int64_t length = shotLength(t, d), size = length * t.dims;
    for (int round = 0; round < rounds; ++round) {
      const ShotsToFit s = shotsOf(scan, int(f), 1, length);
      const std::vector<double> late = fitShotDelays(s.samples, s.points, t.dims, progress);
      for (std::size_t n = 0; n < late.size(); ++n) {
        const auto first = t.points.begin() + std::ptrdiff_t(n) * size;
        const std::vector<double> moved =
            delayedPoints({first, first + size}, 1, length, t.dims, {late[n], late[n], late[n]});
        std::copy(moved.begin(), moved.end(), first);
      }
    }
  }
}

}  // namespace

void correctDelays(Scan& scan, Decisions& d, const Progress& progress) {
  const std::string choice = d.override(topicOfDelays);
  if (choice.empty()) return;
  const std::vector<std::string> methods = {"none", "axes", "common", "per-shot"};
  if (choice == "none") {
    d.decide(topicOfDelays, "none", "", methods);
    return;
  }
  const int dims = scan.dims(), frames = framesToFit(scan);
  const std::int64_t length = shotLength(scan.trajectories.front(), d);
  for (const Trajectory& t : scan.trajectories)
    if (shotLength(t, d) != length)
      throw Error(d.problem(),
                  "its frames differ in the length of shots, so gradient delays cannot be fitted",
                  "Use gradient-delays=none");
  const ShotsToFit before = shotsOf(scan, 0, frames, length);
  Vec3 delays{0, 0, 0};
  if (const auto given = givenDelays(choice, dims)) {
    delays = *given;
  } else if (std::find(methods.begin(), methods.end(), choice) == methods.end()) {
    throw Error(d.problem(), "\"" + choice + "\" is no choice for " + topicOfDelays,
                "Use one of: " + joined(methods) + ", or samples for each axis, as in 0.3,-0.1");
  } else {
    const DelayFit fit = fitDelays(before.samples, before.points, dims,
                                   choice == "common" ? DelayModel::common : DelayModel::axes, progress);
    if (fit.used == 0)
      throw Error(d.problem(), "too few of its samples lie near the centre of k-space to fit gradient delays",
                  "Give the delays in samples, as in gradient-delays=0.3,-0.1");
    delays = fit.delays;
  }
  for (Trajectory& t : scan.trajectories) t.points = delayedPoints(t.points, t.shots(), length, dims, delays);
  if (choice == "per-shot") moveShots(scan, d, progress);
  const double was = selfConsistency(before.samples, before.points, dims, progress).residual;
  const ShotsToFit after = shotsOf(scan, 0, frames, length);
  const double is = selfConsistency(after.samples, after.points, dims, progress).residual;
  const std::string text = delaysText(delays, dims);
  d.decide(topicOfDelays, "none",
           "gradients act " + text + " samples late; samples near the centre disagree by " +
               numberText(was, 2) + " before and by " + numberText(is, 2) + " after",
           {"axes", "common", "per-shot", text});
  tellSamplesChange();
}

}  // namespace spokelab
