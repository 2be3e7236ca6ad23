// Which transform serves the iterations where a field acts: the plain NUFFT, the segmented NUFFT and
// the exact sums are tried on a group of shots, and the fastest that meets the accuracy is taken.
// Without a field the tuner has chosen among the NUFFT's normal operators.
//   error  |A~ u - A u| / |A u| at random samples, u complex normal, A the exact sum in double (the plain
//          NUFFT's is measured as well: with a weak field it may be good enough)
//   time   of one normal operation an image; exact sums: of some samples, scaled up
#pragma once

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>

#include "engine/recon/sense/sense_groups.h"

namespace spokelab {

// One that took part. refused: why it could not, in words.
struct RaceEntry {
  TransformKind kind = TransformKind::nufft;
  double error = 0, seconds = 0;
  std::string refused;
};
struct RaceResult {
  TransformKind winner = TransformKind::gdft;
  std::vector<RaceEntry> entries;
  std::string sentence;
};

// Does the field (or decay) of the problem act at any sample?
bool fieldActs(const SenseProblem& problem);
// Fills winner and sentence. Exact sums are among the entries wherever a field acts.
void decideRace(RaceResult& race, double accuracy);

// Seconds of one normal operation an image. The space's stream is awaited.
template <VectorSpace Space>
double normalSeconds(Space& space, SampleTransform<typename Space::Real>& transform,
                     const Progress& progress) {
  constexpr double minTimedSeconds = 0.2;
  const std::int64_t n = transform.pixels() * transform.batch();
  auto image = space.make(n);
  space.zero(image.data(), n);
  double best = 0;
  for (int i = 0; i < 3; ++i) {  // the first warms up, unless it takes long
    const double start = now();
    transform.normal(image.data(), image.data(), transform.batch(), space.execution(), progress);
    space.dot(image.data(), image.data(), n);
    const double seconds = now() - start;
    best = i < 2 ? seconds : std::min(best, seconds);
    if (seconds > minTimedSeconds) break;
  }
  return best / double(transform.batch());
}

// The relative error of a transform at the check's samples.
template <VectorSpace Space>
double transformError(Space& space, SampleTransform<typename Space::Real>& transform,
                      const SegmentCheck& check, const Progress& progress) {
  using Complex = typename Space::Complex;
  const std::int64_t pixels = transform.pixels(), samples = transform.samples(), batch = transform.batch();
  std::vector<Complex> host(check.image.begin(), check.image.end());
  auto image = space.make(batch * pixels), result = space.make(batch * samples);
  space.zero(image.data(), batch * pixels);
  space.upload(host.data(), image.data(), pixels);
  transform.forward(image.data(), result.data(), batch, space.execution(), progress);
  host.resize(std::size_t(samples));
  space.download(result.data(), host.data(), samples);
  return checkedError(check, std::vector<cdouble>(host.begin(), host.end()));
}

// Seconds that the exact sums of the whole group take, from some of its samples.
template <VectorSpace Space>
double exactSeconds(Space& space, TransformBackend& backend, const SenseProblem& problem,
                    const ShotGroup& group, const Progress& progress) {
  constexpr std::int64_t timedPairs = 100'000'000, minTimedSamples = 256;
  const std::int64_t pixels = product(problem.matrix), all = std::int64_t(group.samples.size());
  ShotGroup some;
  some.samples = group.samples;
  some.shots = 1;
  const std::int64_t taken = std::min(all, std::max(minTimedSamples, timedPairs / pixels));
  some.samples.resize(std::size_t(taken));
  const auto transform =
      backend.gdft<typename Space::Real>(gdftProblem(problem, some), problem.nufft.threads);
  transform->setWeights(std::vector<double>(std::size_t(taken), 1.0));
  return normalSeconds(space, *transform, progress) * double(all) / double(taken);
}

template <VectorSpace Space>
RaceResult raceTransforms(Space& space, TransformBackend& backend, const SenseProblem& problem,
                          const ShotGroup& group, const Progress& progress) {
  RaceResult race;
  const SegmentCheck check = makeSegmentCheck(gdftProblem(problem, group));
  const auto tryOne = [&](TransformKind kind) {
    RaceEntry entry;
    entry.kind = kind;
    std::vector<std::string> notes;
    try {
      progress.report(0, "Racing transforms: " + std::string(transformName(kind)));
      const auto transform = makeGroupTransform(space, backend, problem, kind, group, notes, progress);
      entry.error = transformError(space, *transform, check, progress);
      if (entry.error <= problem.nufft.accuracy) entry.seconds = normalSeconds(space, *transform, progress);
    } catch (const Error& error) {
      entry.refused = error.reason();
    }
    race.entries.push_back(std::move(entry));
  };
  tryOne(TransformKind::nufft);
  if (race.entries.front().error > problem.nufft.accuracy && !problem.field.empty())
    tryOne(TransformKind::segmented);
  RaceEntry exact;
  exact.kind = TransformKind::gdft;
  progress.report(0, "Racing transforms: gdft");
  exact.seconds = exactSeconds(space, backend, problem, group, progress);
  race.entries.push_back(exact);
  decideRace(race, problem.nufft.accuracy);
  return race;
}

}  // namespace spokelab
