#include "engine/profile/study/gnufftw/tuned_variants.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/profile/study/study_definition.h"
#include "engine/profile/study/study_points.h"
#include "engine/profile/study/study_problem.h"

namespace spokelab {
namespace {

std::string nameOf(const ListedMethod& m) {
  return m.backend + (" " + std::string(methodName(m.method)));
}

// The methods of one direction; empty if the backend has none, or the accuracy is out of reach.
std::vector<Method> methodsOf(const NufftBackend& backend, const NufftProblem& problem, NufftOptions options,
                              bool spread, Method asked) {
  (spread ? options.spread : options.interpolate) = asked;
  try {
    return spread ? backend.spreadMethods(problem, options) : backend.interpolateMethods(problem, options);
  } catch (const Error&) {
    return {};
  }
}

const char* operationOf(Direction direction) {
  if (direction == Direction::forward) return forwardText;
  return direction == Direction::adjoint ? adjointText : bothText;
}

}  // namespace

std::vector<std::string> namesOf(std::span<const ListedMethod> list) {
  std::vector<std::string> names;
  for (const ListedMethod& m : list) names.push_back(nameOf(m));
  return names;
}

void addMissing(StudyRun& run, std::span<const ListedMethod> list) {
  for (const ListedMethod& m : list)
    if (!run.backend(m.backend)) run.add(refusedRow(m.backend, nameOf(m)));
}

std::vector<TunedVariant> listedVariants(const StudyRun& run, const NufftProblem& problem,
                                         const NufftOptions& options, Direction direction,
                                         std::span<const ListedMethod> list) {
  std::vector<TunedVariant> variants;
  for (const ListedMethod& m : list) {
    NufftBackend* const backend = run.backend(m.backend);
    if (!backend) continue;
    TunedVariant v{nameOf(m), operationOf(direction), backend, options, direction};
    bool has = false;
    for (const bool spread : {true, false}) {
      const bool executed = direction != (spread ? Direction::forward : Direction::adjoint);
      std::vector<Method> methods;
      if (executed) methods = methodsOf(*backend, problem, options, spread, m.method);
      has |= !methods.empty();
      if (methods.empty()) methods = methodsOf(*backend, problem, options, spread, Method::automatic);
      if (!methods.empty()) (spread ? v.options.spread : v.options.interpolate) = methods.front();
    }
    if (!has) continue;
    if (direction == Direction::both && v.options.spread != v.options.interpolate)
      v.name += "/" + std::string(methodName(v.options.interpolate));
    variants.push_back(std::move(v));
  }
  return variants;
}

std::vector<TunedVariant> pluginVariants(const StudyRun& run, const NufftOptions& options,
                                         Direction direction) {
  std::vector<TunedVariant> variants;
  for (NufftBackend* backend : run.backends())
    if (isPlugin(backend->name()))
      variants.push_back({backend->name(), operationOf(direction), backend, options, direction});
  return variants;
}

TunedCase atRatio(TunedCase c, const StudyRequest& request) {
  if (!request.alphas.empty()) c.base.options.alpha = request.alphas.front();
  return c;
}

StudyRow rowOf(const StudyCase& c, const TunedVariant& variant, const Candidate& candidate) {
  StudyRow row;
  row.c = c;
  row.variant = variant.name;
  row.direction = variant.operation;
  row.candidate = candidate;
  row.transferSeconds = candidate.transferSeconds;
  row.seconds = candidate.timings.total;
  row.setUpSeconds = candidate.setPointsSeconds;
  row.refused = candidate.refused;
  return row;
}

StudyRow tuneVariant(const TunedCase& c, const TunedVariant& variant, const Progress& progress) {
  Candidate refused;
  refused.backend = variant.backend->name();
  refused.options = variant.options;
  TuneRequest request = c.base;
  request.options = variant.options;
  request.workload.direction = variant.direction;
  request.mustTime = true;
  NufftBackend* const backends[] = {variant.backend};
  try {
    const TuneResult result = tune(backends, request, nullptr, progress);
    if (result.cancelled) throw Cancelled{};
    if (result.best >= 0) return rowOf(c.c, variant, result.candidates[std::size_t(result.best)]);
    refused.refused = "no plan could run";
    for (const Candidate& candidate : result.candidates)
      if (!candidate.refused.empty()) refused.refused = candidate.refused;
  } catch (const Error& e) {
    refused.refused = e.reason();
  }
  return rowOf(c.c, variant, refused);
}

void forTunedCases(StudyRun& run, const std::function<void(const TunedCase&, const Progress&)>& each,
                   const std::function<void(const std::string&, double)>& sizesDone, Undivided undivided) {
  const StudyRequest& q = run.request();
  const std::size_t sizes = q.sizes.size(), rs = q.accelerations.size(), accuracies = q.accuracies.size();
  const auto step = [&](std::size_t i, const Progress& progress) {
    const std::string& pattern = q.patterns[i / (rs * sizes)];
    const double acceleration = q.accelerations[i / sizes % rs];
    const int size = q.sizes[i % sizes];
    const std::vector<double> points = studyPoints(pattern, size, acceleration);
    TunedCase c;
    c.base.problem.dims = 3;
    c.base.problem.size = {size, size, size};
    c.base.points = points;
    c.base.trials = q.trials;
    for (std::size_t k = 0; k < accuracies; ++k) {
      c.base.options.accuracy = q.accuracies[k];
      c.c = {pattern, size, acceleration, q.accuracies[k], std::int64_t(points.size() / 3)};
      each(c, progress.part(double(k) / double(accuracies), double(k + 1) / double(accuracies)));
    }
    if (i % sizes + 1 == sizes) sizesDone(pattern, acceleration);
  };
  run.steps(q.patterns.size() * rs * sizes, step, undivided == Undivided::sizes ? sizes : rs * sizes);
}

}  // namespace spokelab
