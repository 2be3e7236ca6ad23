#include "engine/recon/sense/sense_problem.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "engine/core/error.h"
#include "engine/core/parallel_all.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr const char* summary = "Cannot reconstruct iteratively";

void requireCount(std::size_t have, std::int64_t want, const std::string& what, const std::string& remedy) {
  if (std::int64_t(have) != want)
    throw Error(
        summary,
        what + " has " + std::to_string(have) + " values where " + std::to_string(want) + " are needed",
        remedy);
}

bool allFinite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}
// Sets of coil maps may hold gigabytes.
bool allFinite(const std::vector<cfloat>& values) {
  return holdsForAll(std::int64_t(values.size()), [&](std::int64_t begin, std::int64_t end) {
    return spokelab::allFinite(values.data() + begin, end - begin);
  });
}

template <class T>
void requireFiniteMap(const std::vector<T>& values, const std::string& what) {
  if (allFinite(values)) return;
  const auto bad =
      std::find_if(values.begin(), values.end(), [](const T& v) { return !std::isfinite(std::abs(v)); });
  if (bad != values.end())
    throw Error(summary,
                what + " holds a value that is not a finite number (number " +
                    std::to_string(bad - values.begin()) + ")",
                "Correct this number, or leave the array out");
}

void requireFinite(const SharedValues& values, const std::string& what) {
  const std::span<const double> all(values.data(), values.size());
  const bool finite = holdsForAll(std::int64_t(all.size()), [&](std::int64_t begin, std::int64_t end) {
    return allFinite(all.subspan(std::size_t(begin), std::size_t(end - begin)));
  });
  if (!finite) requireFiniteMap(std::vector<double>(all.begin(), all.end()), what);
}

// Weights below zero make the problem unbounded below; all zero make it empty.
void requireWeights(const SharedValues& weights) {
  requireFinite(weights, "the list of weights");
  const std::span<const double> all(weights.data(), weights.size());
  const auto negative = std::find_if(all.begin(), all.end(), [](double w) { return w < 0; });
  if (negative != all.end())
    throw Error(summary,
                "weight " + std::to_string(negative - all.begin()) + " is " + numberText(*negative) +
                    ", and least squares have no negative weights",
                "Give weights of 0 or more");
  if (std::all_of(all.begin(), all.end(), [](double w) { return w == 0; }))
    throw Error(summary, "all weights are zero", "Give other weights, or none");
}

void validateMaps(const SenseProblem& problem) {
  const std::int64_t pixels = product(problem.matrix);
  const std::int64_t maps =
      problem.backendMaps ? problem.backendMaps->count() : std::int64_t(problem.maps.size());
  requireCount(std::size_t(maps), problem.mapSets * pixels * std::int64_t(problem.coils.size()),
               "the set of coil maps",
               problem.mapSets > 1 ? "Give a map a coil for each set, of the image's size"
                                   : "Give one map a coil, of the image's size");
  requireFiniteMap(problem.maps, "the set of coil maps");
  if (!problem.backendMaps &&
      std::all_of(problem.maps.begin(), problem.maps.end(), [](const cfloat& v) { return v == 0.0F; }))
    throw Error(summary, "all coil maps are zero", "Give other maps, or have them estimated");
}

}  // namespace

SenseProblem transformPart(const SenseProblem& problem) {
  SenseProblem p;
  p.dims = problem.dims;
  p.matrix = problem.matrix;
  p.points = problem.points;
  p.times = problem.times;
  p.shotOffsets = problem.shotOffsets;
  p.weights = problem.weights;
  p.shots = problem.shots;
  p.field = problem.field;
  p.decay = problem.decay;
  p.gradient = problem.gradient;
  p.forms = problem.forms;
  p.transform = problem.transform;
  p.interpolator = problem.interpolator;
  p.segments = problem.segments;
  p.convolutions = problem.convolutions;
  p.nufft = problem.nufft;
  p.precision = problem.precision;
  p.batch = problem.batch;
  p.slabs = problem.slabs;
  p.slabShare = problem.slabShare;
  return p;
}

std::vector<cfloat> hostMaps(const SenseProblem& problem) {
  if (!problem.backendMaps) return problem.maps;
  std::vector<cfloat> maps(std::size_t(problem.backendMaps->count()));
  problem.backendMaps->download(maps.data());
  return maps;
}

void requireRepeatable(const NufftOptions& nufft, const IterationOptions& iterations) {
  if (!nufft.reproducible || iterations.maxSeconds <= 0) return;
  throw Error(summary,
              "iterations that end after " + secondsText(iterations.maxSeconds) +
                  " end elsewhere in every run, and the result is to be reproducible",
              "Set iteration-seconds to 0, or leave reproducible out");
}

bool fieldActs(const SenseProblem& problem) {
  if (!problem.forms.empty()) return true;
  const auto differs = [](double v) { return v != 0; };
  return std::any_of(problem.times.begin(), problem.times.end(), differs) &&
         (std::any_of(problem.field.begin(), problem.field.end(), differs) ||
          std::any_of(problem.decay.begin(), problem.decay.end(), differs));
}

void validate(const SenseProblem& problem, bool withMaps) {
  const std::int64_t pixels = product(problem.matrix);
  const std::int64_t samples = std::int64_t(problem.points.size()) / problem.dims;
  if (problem.coils.empty()) throw Error(summary, "the scan has no coils", "Open another scan");
  if (problem.shotOffsets.empty() || problem.shotOffsets.back() != samples || samples == 0)
    throw Error(summary, "the scan has no samples", "Open another scan");
  if (problem.mapSets < 1) throw Error(summary, "there is no set of coil maps", "Give at least one");
  if (withMaps) validateMaps(problem);
  requireFinite(problem.points, "the list of points");
  if (!problem.weights.empty()) {
    requireCount(problem.weights.size(), samples, "the list of weights", "Give one a sample");
    requireWeights(problem.weights);
  }
  const auto shots = std::int64_t(problem.shotOffsets.size()) - 1;
  for (const int shot : problem.shots)
    if (shot < 0 || shot >= shots)
      throw Error(summary,
                  "shot " + std::to_string(shot) + " is asked for, but there are " + std::to_string(shots),
                  "Choose shots from 0 to " + std::to_string(shots - 1));
  if (!problem.phases.empty()) {
    if (std::int64_t(problem.phases.size()) != shots)
      throw Error(summary,
                  "there are " + std::to_string(problem.phases.size()) + " phase maps for " +
                      std::to_string(shots) + " shots",
                  "Give one phase map a shot");
    for (std::size_t s = 0; s < problem.phases.size(); ++s) {
      requireCount(problem.phases[s].size(), pixels, "the phase map of shot " + std::to_string(s),
                   "Give phase maps of the image's size");
      requireFiniteMap(problem.phases[s], "the phase map of shot " + std::to_string(s));
    }
  }
  const TransformKind kind = problem.transform;
  const bool plain = kind == TransformKind::nufft || kind == TransformKind::toeplitz;
  if (kind == TransformKind::segmentedToeplitz && !problem.forms.empty())
    throw Error(summary, "segmented-toeplitz does not know phases of second order (concomitant)",
                "Use transform = segmented, or auto");
  if (kind == TransformKind::segmented && problem.field.empty() && problem.forms.empty())
    throw Error(summary, "the segmented transform needs a field map", "Give one, or use transform = nufft");
  if (!plain && !(problem.field.empty() && problem.decay.empty()) && problem.times.empty())
    throw Error(
        summary, "the scan has no readout times, so the field map cannot act",
        "Give the times of the samples (fourth trajectory dimension, in s), or use transform = nufft");
  if (!problem.field.empty())
    requireCount(problem.field.size(), pixels, "the field map", "Give a map of the image's size");
  if (!problem.decay.empty())
    requireCount(problem.decay.size(), pixels, "the decay map", "Give a map of the image's size");
  if (!problem.gradient.empty())
    requireCount(problem.gradient.size(), problem.dims * pixels, "the gradient of the field",
                 "Give a map of the image's size for each dimension");
  requireFiniteMap(problem.field, "the field map");
  requireFiniteMap(problem.decay, "the decay map");
  requireFiniteMap(problem.gradient, "the gradient of the field");
  requireFiniteMap(problem.times, "the list of readout times");
  if (!problem.times.empty())
    requireCount(problem.times.size(), samples, "the list of readout times", "Give one a sample");
}

}  // namespace spokelab
