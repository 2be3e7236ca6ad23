#include "engine/recon/sense/paths/path_candidates.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/thread_pool.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/toeplitz/toeplitz_lengths.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/plugins/tried_plugin.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/field/phase_error.h"
#include "engine/recon/sense/paths/path_timing.h"

namespace spokelab {
namespace {

constexpr double maxSearchSeconds = 0.9, maxSearchSecondsTimed = 5;
constexpr double nufftShare = 0.4;  // of the search: the tuning of the segments' NUFFT, over all backends
constexpr std::size_t maxToeplitzRatios = 6;
// Guesses, for the order of candidates alone.
constexpr double pairsPerSecondOfThread = 4e8, pairsPerSecondOfDevice = 1e12;

}  // namespace

bool timesNothing(const PathSearchRequest& request) {
  return request.nufft.effort == TuneEffort::estimate || request.nufft.options.reproducible;
}

bool timesAll(const PathSearchRequest& request) {
  return request.nufft.effort == TuneEffort::exhaustive && !timesNothing(request);
}

double searchSeconds(const PathSearchRequest& request) {
  const TuneRequest& r = request.nufft;
  if (r.timeLimit > 0) return r.timeLimit;
  if (timesAll(request)) return HUGE_VAL;
  if (r.maxSearchSeconds > 0) return r.maxSearchSeconds;
  return r.mustTime ? maxSearchSecondsTimed : maxSearchSeconds;
}

PathCandidates::PathCandidates(std::span<TransformBackend* const> backends, const PathSearchRequest& search,
                               Wisdom* wisdom, TuneResult& result, const Progress& progress,
                               bool predictsOnly)
    : search_(search),
      wisdom_(wisdom),
      result_(result),
      progress_(progress),
      backends_(backends.begin(), backends.end()),
      ownBackends_(std::count_if(backends.begin(), backends.end(),
                                 [](const TransformBackend* b) { return !isPlugin(b->name()); })),
      exact_(firstExact(search.problem)),
      predictsOnly_(predictsOnly) {
}

void PathCandidates::add() {
  for (TransformBackend* backend : backends_)
    if (!isPluginWithOwnBackends(*backend)) addCandidates(*backend);
}

void PathCandidates::addCandidates(TransformBackend& backend) {
  const bool segments = admits(search_.problem, TransformKind::segmented),
             convolutions = admits(search_.problem, TransformKind::segmentedToeplitz) && exact_.forms.empty();
  if ((segments || convolutions) && exact_.hasPhases()) {
    try {
      addSegmented(backend, segments, convolutions);
    } catch (const Error& e) {
      refuse(backend, segments ? TransformKind::segmented : TransformKind::segmentedToeplitz, e.reason());
    }
  }
  for (const TransformKind kind : {TransformKind::gdft, TransformKind::gdftR2})
    if (admits(search_.problem, kind)) addExact(backend, kind);
}

void PathCandidates::refuse(const NufftBackend& backend, TransformKind kind, const std::string& why) {
  Candidate c;
  c.backend = backend.name();
  c.path.transform = kind;
  c.options = search_.nufft.options;
  c.refused = why;
  c.predictedSeconds = HUGE_VAL;
  result_.candidates.push_back(std::move(c));
}

void PathCandidates::addExact(const TransformBackend& backend, TransformKind kind) {
  Candidate c;
  c.backend = backend.name();
  c.path.transform = kind;
  c.options = search_.nufft.options;
  const double threads =
      c.options.reproducible || c.options.threads > 0 ? workShares(c.options) : hardwareThreads();
  const double pairs = double(exact_.samples()) * double(exact_.pixels()) * double(search_.problem.batch);
  c.predictedParts.execution =
      2 * pairs / (c.backend == "cpu" ? pairsPerSecondOfThread * threads : pairsPerSecondOfDevice);
  c.predictedSeconds = c.predictedParts.whole(search_.nufft.workload);
  result_.candidates.push_back(std::move(c));
}

Segmentation PathCandidates::segmentation(SegmentInterpolator interpolator, double target) const {
  return segment(exact_, interpolator, search_.problem.segments, target, progress_);
}

Segmentation PathCandidates::segmentTimeDifferences(double target) const {
  return segmentDifferences(exact_.field, exact_.times, search_.problem.convolutions, target, progress_);
}

void PathCandidates::addSegmented(TransformBackend& backend, bool segments, bool convolutions) {
  const SegmentInterpolator own = search_.problem.interpolator;
  const Segmentation first = segmentation(own, segmentAccuracy());
  const Candidate nufft = tunedSegments(backend, first);
  if (segments) addSegments(nufft, own, first);
  if (segments && timesAll(search_) && exact_.forms.empty())
    for (const auto other :
         {SegmentInterpolator::svd, SegmentInterpolator::minMax, SegmentInterpolator::hanning}) {
      if (other == own) continue;
      try {
        addSegments(nufft, other, segmentation(other, segmentAccuracy()));
      } catch (const Error& e) {
        refuse(backend, TransformKind::segmented, std::string(interpolatorName(other)) + ": " + e.reason());
      }
    }
  if (convolutions) addConvolutions(backend, nufft, int(first.segments));
}

bool PathCandidates::isPluginWithOwnBackends(const TransformBackend& backend) const {
  return isPlugin(backend.name()) && ownBackends_ > 0;
}

void PathCandidates::addPlugins() {
  std::vector<NufftBackend*> cpuAndPlugins;
  for (TransformBackend* backend : backends_)
    if (backend->name() == "cpu" || isPluginWithOwnBackends(*backend)) cpuAndPlugins.push_back(backend);
  const bool isWanted = admits(search_.problem, TransformKind::segmented) && exact_.hasPhases();
  if (!isWanted || cpuAndPlugins.size() < 2 || cpuAndPlugins.front()->name() != "cpu") return;
  try {
    const Segmentation s = segmentation(search_.problem.interpolator, segmentAccuracy());
    const TuneRequest inner = segmentsRequest(s);
    if (pluginCandidates(cpuAndPlugins, inner).empty()) return;
    const TuneResult tuned = tune(cpuAndPlugins, inner, wisdom_, progress_);
    if (tuned.cancelled) throw Cancelled{};
    for (NufftBackend* backend : cpuAndPlugins)
      if (isPlugin(backend->name())) addPluginSegments(*backend, tuned, s);
  } catch (const Error&) {
    return;  // the CPU's own candidates give the reason
  }
}

void PathCandidates::addPluginSegments(const NufftBackend& plugin, const TuneResult& tuned,
                                       const Segmentation& s) {
  const Candidate* best = nullptr;
  for (const Candidate& c : tuned.candidates) {
    if (c.backend != plugin.name()) continue;
    if (!c.refused.empty())
      refuse(plugin, TransformKind::segmented, c.refused);
    else if (c.timed() && (!best || c.cost() < best->cost()))
      best = &c;
  }
  if (best) addSegments(*best, search_.problem.interpolator, s);
}

TuneRequest PathCandidates::segmentsRequest(const Segmentation& s) const {
  TuneRequest inner = segmentRequest(search_.problem, search_.nufft, s.segments);
  const double tuners = std::max(1.0, double(ownBackends_));
  if (!timesAll(search_)) inner.maxSearchSeconds = nufftShare * searchSeconds(search_) / tuners;
  if (inner.timeLimit > 0) inner.timeLimit *= nufftShare / tuners;
  return inner;
}

Candidate PathCandidates::tunedSegments(TransformBackend& backend, const Segmentation& s) {
  TuneRequest inner = segmentsRequest(s);
  NufftBackend* one = &backend;
  tunings_.emplace_back(one, inner);
  if (predictsOnly_) inner.effort = TuneEffort::estimate;
  const TuneResult tuned = tune(std::span<NufftBackend* const>(&one, 1), inner, wisdom_, progress_);
  if (tuned.cancelled) throw Cancelled{};
  result_.cutShort = result_.cutShort || tuned.cutShort;
  if (tuned.best < 0) throw Error("Cannot segment the readout", tuned.reason, "Use another transform");
  return tuned.candidates[std::size_t(tuned.best)];
}

Candidate PathCandidates::pathCandidate(const Candidate& nufft, const Path& path, double calls) const {
  Candidate c;
  c.backend = nufft.backend;
  c.path = path;
  c.options = nufft.options;
  c.options.accuracy = accuracy();
  // The normal operator of time segments is their forward, then their adjoint transforms.
  if (!isToeplitz(c.options.normal)) c.options.normal = NormalMethod::gridded;
  c.grid = nufft.grid;
  c.predicted = nufft.predicted;
  c.memory = nufft.memory;
  c.predictedParts = nufft.timed() ? nufft.parts() : nufft.predictedParts;
  c.predictedParts.transfer = 0;  // vectors stay where the transforms are
  c.predictedParts.execution *= calls;
  return c;
}

void PathCandidates::addSegments(const Candidate& nufft, SegmentInterpolator interpolator,
                                 const Segmentation& s) {
  const double calls =
      double(search_.problem.batch * s.segments) / double(segmentBatch(s.segments, exact_.pixels()));
  Candidate c = pathCandidate(nufft, {TransformKind::segmented, interpolator, int(s.segments), 0}, calls);
  c.predictedSeconds = c.predictedParts.whole(search_.nufft.workload);
  c.predictedNormalError = predictPhaseError(exact_, {}, s, false, c.options.threads);
  result_.candidates.push_back(std::move(c));
}

void PathCandidates::addConvolutions(TransformBackend& backend, const Candidate& nufft, int segments) {
  const Segmentation s = segmentTimeDifferences(segmentAccuracy());
  const double phaseError = predictPhaseError(exact_, {}, s, true, search_.nufft.options.threads);
  const NormalMethod requestedForm = search_.nufft.options.normal;
  for (const NormalMethod form : {NormalMethod::toeplitz, NormalMethod::toeplitzShifted}) {
    if (isToeplitz(requestedForm) && requestedForm != form) continue;
    for (const double ratio : toeplitzRatios(backend, form)) {
      TuneRequest inner = search_.nufft;
      inner.options = nufft.options;
      inner.options.accuracy = accuracy();
      inner.options = convolutionNufft(search_.problem, inner.options);
      inner.options.normal = form;
      inner.options.toeplitzAlpha = ratio;
      inner.effort = TuneEffort::estimate;
      NufftBackend* one = &backend;
      const std::vector<Candidate> plans =
          enumerateCandidates(std::span<NufftBackend* const>(&one, 1), inner);
      const Candidate& cheapest = *std::ranges::min_element(plans, {}, &Candidate::predictedSeconds);
      Candidate c = pathCandidate(
          cheapest,
          {TransformKind::segmentedToeplitz, search_.problem.interpolator, segments, int(s.segments)},
          double(s.segments));
      c.predictedParts.plan *= double(s.segments);
      c.predictedParts.points *= double(s.segments);
      c.predictedSeconds = c.predictedParts.whole(search_.nufft.workload);
      c.predictedNormalError = phaseError;
      result_.candidates.push_back(std::move(c));
    }
  }
}

std::vector<double> PathCandidates::toeplitzRatios(const TransformBackend& backend, NormalMethod form) const {
  const double requestedAlpha = search_.nufft.options.toeplitzAlpha;
  if (form != NormalMethod::toeplitz || requestedAlpha != 0) return {requestedAlpha};
  if (timesAll(search_)) return toeplitzAlphas(search_.nufft.problem, maxToeplitzRatios);
  if (backend.name() != "cpu" || timesNothing(search_) || predictsOnly_) return {0};
  return {fastestToeplitzAlpha(search_.nufft.problem, search_.nufft.options.threads)};
}

bool PathCandidates::moreSegments(Candidate& c, double target) const {
  const bool sums = c.path.transform == TransformKind::segmentedToeplitz;
  if (sums ? search_.problem.convolutions > 0 : search_.problem.segments > 0) return false;
  try {
    const Segmentation s = sums ? segmentTimeDifferences(target) : segmentation(c.path.interpolator, target);
    (sums ? c.path.convolutions : c.path.segments) = int(s.segments);
    c.predictedNormalError = predictPhaseError(exact_, {}, s, sums, c.options.threads);
  } catch (const Error&) {
    return false;
  }
  c.refused.clear();
  c.measuredError.reset();
  return true;
}

}  // namespace spokelab
