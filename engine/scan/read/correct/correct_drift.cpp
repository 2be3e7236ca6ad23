#include "engine/scan/read/correct/correct_drift.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/text_number.h"
#include "engine/scan/read/sample_follower.h"
#include "engine/scan/read/shots/nearest_sample.h"

namespace spokelab {
namespace {

const char* const topicOfDrift = "k0-drift";
constexpr std::int64_t fewestShots = 3;

std::int64_t shotsOfFrames(const Scan& scan) {
  std::int64_t shots = 0;
  for (int f = 0; f < scan.frames; ++f) shots += scan.trajectory(f).shots();
  return shots;
}

// The samples of all coils next to the centre, of each shot that crosses it.
struct CentreShot {
  double place;  // of the shot, 0 to 1
  std::vector<cdouble> coils;
};

std::vector<CentreShot> centreShots(const Scan& scan) {
  constexpr double nearCentre = 0.5;  // cycles/FOV
  std::vector<CentreShot> found;
  const double last = double(std::max<std::int64_t>(1, shotsOfFrames(scan) - 1));
  std::int64_t number = 0;
  for (int f = 0; f < scan.frames; ++f) {
    const Trajectory& t = scan.trajectory(f);
    for (std::int64_t n = 0; n < t.shots(); ++n, ++number) {
      const std::int64_t nearest = nearestSample(t, n, nearCentre);
      if (nearest < 0) continue;
      CentreShot& shot = found.emplace_back(CentreShot{double(number) / last, {}});
      for (int c = 0; c < scan.coils; ++c) shot.coils.emplace_back(scan.data(f, scan.slices / 2, c)[nearest]);
    }
  }
  return found;
}

void turnShots(std::vector<CentreShot>& shots, double turns) {
  for (CentreShot& shot : shots)
    for (cdouble& v : shot.coils) v *= phaseOfTurns(-turns * shot.place);
}

// Phase of each shot against the mean of all, and its weight.
struct Phases {
  std::vector<double> radians, weights;
  double rms = 0;
};

Phases phasesOf(const std::vector<CentreShot>& shots) {
  Phases p;
  if (shots.empty()) return p;
  std::vector<cdouble> mean(shots.front().coils.size());
  for (const CentreShot& shot : shots)
    for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += shot.coils[c];
  double squares = 0, sum = 0;
  for (const CentreShot& shot : shots) {
    cdouble product = 0;
    for (std::size_t c = 0; c < mean.size(); ++c) product += shot.coils[c] * std::conj(mean[c]);
    p.radians.push_back(std::arg(product));
    p.weights.push_back(std::abs(product));
    squares += p.weights.back() * std::pow(p.radians.back(), 2);
    sum += p.weights.back();
  }
  p.rms = sum > 0 ? std::sqrt(squares / sum) : 0;
  return p;
}

// Turns from the first shot to the last, by the mean step: whole turns are no riddle for it.
double driftBySteps(const std::vector<CentreShot>& shots) {
  cdouble steps = 0;
  for (std::size_t n = 0; n + 1 < shots.size(); ++n)
    for (std::size_t c = 0; c < shots[n].coils.size(); ++c)
      steps += shots[n + 1].coils[c] * std::conj(shots[n].coils[c]);
  const double between = (shots.back().place - shots.front().place) / double(shots.size() - 1);
  return between > 0 ? std::arg(steps) / (2 * std::numbers::pi) / between : 0;
}

double slopeOf(const std::vector<CentreShot>& shots, const Phases& p) {
  double sum = 0, place = 0, phase = 0;
  for (std::size_t n = 0; n < shots.size(); ++n) {
    sum += p.weights[n];
    place += p.weights[n] * shots[n].place;
    phase += p.weights[n] * p.radians[n];
  }
  double above = 0, below = 0;
  for (std::size_t n = 0; n < shots.size() && sum > 0; ++n) {
    const double from = shots[n].place - place / sum;
    above += p.weights[n] * from * (p.radians[n] - phase / sum);
    below += p.weights[n] * from * from;
  }
  return below > 0 ? above / below / (2 * std::numbers::pi) : 0;
}

}  // namespace

K0Drift fitDrift(const Scan& scan) {
  std::vector<CentreShot> shots = centreShots(scan);
  K0Drift drift;
  drift.shots = std::int64_t(shots.size());
  if (drift.shots < fewestShots) return drift;
  drift.before = phasesOf(shots).rms;
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    const double step = round == 0 ? driftBySteps(shots) : slopeOf(shots, phasesOf(shots));
    drift.turns += step;
    turnShots(shots, step);
  }
  drift.after = phasesOf(shots).rms;
  return drift;
}

K0Drift driftOf(const Scan& scan, double turns) {
  std::vector<CentreShot> shots = centreShots(scan);
  K0Drift drift{turns, phasesOf(shots).rms, 0, std::int64_t(shots.size())};
  turnShots(shots, turns);
  drift.after = phasesOf(shots).rms;
  return drift;
}

void takeDrift(Scan& scan, double turns) {
  const double last = double(std::max<std::int64_t>(1, shotsOfFrames(scan) - 1));
  std::int64_t before = 0;
  for (int f = 0; f < scan.frames; ++f) {
    const Trajectory& t = scan.trajectory(f);
    for (int z = 0; z < scan.slices; ++z)
      for (int c = 0; c < scan.coils; ++c)
        scan.change(f, z, c, [&](auto* samples) {
          using Complex = std::remove_reference_t<decltype(samples[0])>;
          for (std::int64_t n = 0; n < t.shots(); ++n) {
            const Complex factor(phaseOfTurns(-turns * double(before + n) / last));
            for (std::int64_t j = t.shotOffsets[std::size_t(n)]; j < t.shotOffsets[std::size_t(n + 1)]; ++j)
              samples[j] = product(samples[j], factor);
          }
        });
    before += t.shots();
  }
}

void correctDrift(Scan& scan, Decisions& d, const Progress& progress) {
  const std::string wanted = d.override(topicOfDrift);
  if (wanted.empty()) return;
  if (wanted == "none") {
    d.decide(topicOfDrift, "none", "", {"fit"});
    return;
  }
  progress.checkpoint();
  K0Drift drift;
  if (wanted == "fit") {
    drift = fitDrift(scan);
    if (drift.shots < fewestShots)
      throw Error(d.problem(), "its shots do not cross the centre of k-space, so a drift cannot be fitted",
                  "Give the turns from the first shot to the last, as in k0-drift=0.25");
  } else {
    const double turns = textNumber(wanted);
    if (!std::isfinite(turns))
      throw Error(d.problem(), "\"" + wanted + "\" is no choice for " + topicOfDrift,
                  "Use fit, none, or turns from the first shot to the last, as in 0.25");
    drift = driftOf(scan, turns);
  }
  takeDrift(scan, drift.turns);
  const std::string text = numberText(drift.turns, 3);
  d.decide(topicOfDrift, "none",
           "the phase at the centre of k-space turns " + text +
               " times from the first shot to the last; it "
               "differs by " +
               numberText(drift.before, 3) + " rad (rms) before and by " + numberText(drift.after, 3) +
               " after",
           {"fit", text});
  tellSamplesChange();
}

}  // namespace spokelab
