#include "engine/scan/read/named/find_trajectory.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

struct Ranked {
  TrajectoryName name;
  Consistency found;
};

constexpr double clearRatio = 0.7;  // the best residual over the next: below, the choice is clear
constexpr double consistent = 0.5;  // a larger residual means that no variant fits
constexpr std::size_t comparedCoils = 4;

std::vector<TrajectoryName> variantsOf(const TrajectoryName& name, const std::string& problem) {
  std::vector<TrajectoryName> list;
  for (const TrajectoryVariant& v : trajectoryFamily(name.family, problem).variants) {
    TrajectoryName candidate = name;
    candidate.variant = v.name;
    candidate.number = 0;
    if (!v.takesNumber) list.push_back(candidate);
    if (v.name != "tiny-golden") continue;
    constexpr int lastTiny = 10;
    for (int n = 3; n <= lastTiny; ++n) {  // 1 is golden, 2 its mirror image
      candidate.number = n;
      list.push_back(candidate);
    }
  }
  return list;
}

Consistency tried(const TrajectoryName& name, const NamedShape& shape, const CentreSamples& samples,
                  const std::string& problem, const Progress& progress) {
  const int dims = trajectoryFamily(name.family, problem).dims;
  return selfConsistency(samples, namedPoints(name, shape, problem), dims, progress);
}

// Shots that begin at the centre have their largest samples there.
void decideReadout(TrajectoryName& name, const NamedShape& shape, std::int64_t centre, Decisions& d) {
  if (name.family == "spiral" || name.has("centre-out")) return;
  constexpr std::int64_t partFromCentre = 6;
  const bool fromCentre = centre < shape.samples / partFromCentre;
  const std::string choice =
      d.decide("trajectory-readout", fromCentre ? "centre-out" : "diameter",
               "samples are largest at " + std::to_string(centre) + " of " + std::to_string(shape.samples),
               {"diameter", "centre-out"});
  name.parameters["centre-out"] = choice == "centre-out";
}

void decideVariant(TrajectoryName& name, const NamedShape& shape, const CentreSamples& samples,
                   const std::vector<double>& shifts, Decisions& d, const Progress& progress) {
  std::vector<Ranked> ranked;
  const std::vector<TrajectoryName> candidates = variantsOf(name, d.problem());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    progress.report(double(i) / double(candidates.size()), "Trying " + candidates[i].text());
    Ranked& r = ranked.emplace_back(Ranked{candidates[i], {}});
    for (const double shift : shifts) {
      TrajectoryName moved = candidates[i];
      if (shift != 0) moved.parameters["shift"] = shift;
      const Consistency found = tried(moved, shape, samples, d.problem(), progress);
      if (r.found.used == 0 || found.residual < r.found.residual) r.found = found;
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.found.residual < b.found.residual; });
  const Ranked& best = ranked.front();
  std::string evidence;
  if (best.found.used == 0) {
    evidence = "too few samples lie near the centre to compare variants";
  } else {
    evidence = "samples near the centre disagree by";
    constexpr std::size_t shown = 4;
    for (std::size_t i = 0; i < std::min(shown, ranked.size()); ++i)
      evidence += (i ? ", " : " ") + numberText(ranked[i].found.residual, 2) + " (" +
                  ranked[i].name.variantText() + ")";
    evidence += "; mirrored and turned images agree as well";
  }
  const bool clear = best.found.used > 0 && best.found.residual < consistent &&
                     (ranked.size() < 2 || best.found.residual < clearRatio * ranked[1].found.residual);
  std::vector<std::string> others;
  for (const Ranked& r : ranked) others.push_back(r.name.variantText());
  const std::string choice =
      d.decide("trajectory-variant", best.name.variantText(), evidence, others, !clear);
  const TrajectoryName chosen = parseTrajectoryName(name.family + ":" + choice, d.problem());
  name.variant = chosen.variant;
  name.number = chosen.number;
}

// Likely places of the centre, in samples behind its nominal place. Readouts across the centre tell
// it by their energy; at the begin of others the gradient may still rise.
std::vector<double> likelyShifts(const TrajectoryName& name, const NamedShape& shape,
                                 const CentreSamples& samples) {
  if (name.has("shift") || name.family == "spiral") return {0};
  if (name.get("centre-out", 0) != 0)
    return name.has("ramp") ? std::vector<double>{0} : std::vector<double>{0, 1, 2};
  constexpr double roundTo = 0.25;
  const double shift = energyCentre(samples) - double(shape.samples / 2);
  return {std::round(shift / roundTo) * roundTo};
}

void decideShift(TrajectoryName& name, const NamedShape& shape, const CentreSamples& samples,
                 const std::vector<double>& likely, Decisions& d, const Progress& progress) {
  if (name.has("shift")) return;
  const auto residualAt = [&](double shift) {
    TrajectoryName moved = name;
    moved.parameters["shift"] = shift;
    return tried(moved, shape, samples, d.problem(), progress).residual;
  };
  double best = 0, least = residualAt(0);
  const double asStored = least;
  const auto look = [&](double shift) {
    if (const double r = residualAt(shift); r < least) {
      least = r;
      best = shift;
    }
  };
  for (const double shift : likely) look(shift);
  for (const double step : {0.5, 0.125}) {
    const double middle = best;
    constexpr int reach = 3;
    for (int i = -reach; i <= reach; ++i) look(middle + i * step);
  }
  constexpr double gain = 0.9;  // a shift has to improve the residual by a tenth
  const double found = least < gain * asStored ? best : 0;
  // A gradient that rises while it is sampled looks like a shift near the centre only.
  const bool maybeRamp = found != 0 && name.get("centre-out", 0) != 0 && !name.has("ramp");
  const std::string choice = d.decide(
      "trajectory-shift", numberText(found, 4),
      "samples near the centre disagree by " + numberText(least, 2) + " with the centre " +
          numberText(best, 4) + " samples later, by " + numberText(asStored, 2) + " where it is nominal" +
          (maybeRamp ? "; if the gradient rises while it is sampled, give ramp instead" : ""),
      {"0", numberText(best, 4)}, maybeRamp);
  if (const double value = leadingNumber(choice); value != 0) name.parameters["shift"] = value;
}

}  // namespace

TrajectoryName findTrajectory(const TrajectoryName& given, const NamedShape& shape, CentreSamples all,
                              Decisions& d, const Progress& progress) {
  TrajectoryName name = given;
  const CentreSamples samples = strongestCoils(std::move(all), comparedCoils);
  if (samples.coils.empty() || samples.samples < 1)
    throw Error(d.problem(), "there are no samples to compare trajectories with",
                "Name a variant: " + given.family + ":" +
                    trajectoryFamily(given.family, d.problem()).variants.front().name);
  const std::int64_t centre = centreSample(samples);
  decideReadout(name, shape, centre, d);
  const std::vector<double> shifts = likelyShifts(name, shape, samples);
  if (name.variant.empty()) decideVariant(name, shape, samples, shifts, d, progress.part(0, 0.7));
  decideShift(name, shape, samples, shifts, d, progress.part(0.7, 1));
  return name;
}

}  // namespace spokelab
