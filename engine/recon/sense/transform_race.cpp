#include "engine/recon/sense/transform_race.h"

#include <cmath>

#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr int digits = 2;

std::string timeText(double seconds) {
  return seconds >= 1 ? secondsText(seconds, digits) : millisecondsText(seconds, digits);
}

std::string describe(const RaceEntry& entry, double accuracy) {
  const std::string name =
      entry.kind == TransformKind::gdft ? "exact sums" : std::string(transformName(entry.kind));
  if (!entry.refused.empty()) return name + " cannot: " + entry.refused;
  if (entry.error > accuracy)
    return name + "'s error is " + numberText(entry.error, digits) + ", more than " +
           numberText(accuracy, digits);
  return name + " " + timeText(entry.seconds) +
         (entry.error > 0 ? " at error " + numberText(entry.error, digits) : "");
}

}  // namespace

bool fieldActs(const SenseProblem& problem) {
  const auto differs = [](double v) { return v != 0; };
  return std::any_of(problem.times.begin(), problem.times.end(), differs) &&
         (std::any_of(problem.field.begin(), problem.field.end(), differs) ||
          std::any_of(problem.decay.begin(), problem.decay.end(), differs));
}

void decideRace(RaceResult& race, double accuracy) {
  const RaceEntry* best = nullptr;
  for (const RaceEntry& entry : race.entries)
    if (entry.refused.empty() && entry.error <= accuracy && (!best || entry.seconds < best->seconds))
      best = &entry;
  if (!best)
    throw Error("Cannot find a transform for the iterations", describe(race.entries.front(), accuracy),
                "Ask for less accuracy, or name a transform");
  race.winner = best->kind;
  race.sentence = "transform raced: " + describe(*best, accuracy) + " a normal operation";
  for (const RaceEntry& entry : race.entries)
    if (&entry != best) race.sentence += "; " + describe(entry, accuracy);
}

}  // namespace spokelab
