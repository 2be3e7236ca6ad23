#include "engine/profile/study/cufinufft/fixed_methods.h"

#include "engine/core/text.h"
#include "engine/nufft/tune/plugins/tried_plugin.h"
#include "engine/nufft/tune/timing.h"
#include "engine/profile/study/study_definition.h"

namespace spokelab {
namespace {

constexpr int subproblemPoints = 1024;  // M_sub

constexpr FixedMethod spreading[] = {{gpuBackend, Method::pointDriven}, {gpuBackend, Method::pointSorted},
                                     {gpuBackend, Method::subproblem},  {gpuBackend, Method::tensor},
                                     {gpuBackend, Method::fixedPoint},  {gpuBackend, Method::outputDriven},
                                     {cpuBackend, Method::blocked}};
constexpr FixedMethod interpolation[] = {{gpuBackend, Method::pointDriven},
                                         {gpuBackend, Method::pointSorted},
                                         {gpuBackend, Method::subproblem},
                                         {gpuBackend, Method::tensor},
                                         {cpuBackend, Method::blocked}};

std::string nameOf(const FixedMethod& m) {
  return m.backend + (" " + std::string(methodName(m.method)));
}

// The paper's bins and subproblems for its own methods; ours choose.
NufftOptions withMethod(NufftOptions options, Method method, bool adjoint, int dims) {
  (adjoint ? options.spread : options.interpolate) = method;
  if (method == Method::pointSorted || method == Method::subproblem) {
    options.bins = dims > 2 ? Index3{16, 16, 2} : Index3{32, 32, 1};
    options.maxSubproblem = subproblemPoints;
  }
  return options;
}

StudyRow timedRow(const ResamplingCase& c, const std::string& variant, bool adjoint, double accuracy,
                  const Candidate& candidate) {
  StudyRow row = rowFor(c, variant, adjoint);
  row.candidate = candidate;
  row.refused = candidate.refused;
  row.seconds = candidate.timings.total;
  row.transferSeconds = candidate.transferSeconds;
  row.setUpSeconds = candidate.setPointsSeconds;
  row.c.accuracy = accuracy;
  return row;
}

}  // namespace

std::span<const FixedMethod> spreadingList() {
  return spreading;
}

std::span<const FixedMethod> interpolationList() {
  return interpolation;
}

std::vector<std::string> fixedNames(std::span<const FixedMethod> list) {
  std::vector<std::string> names;
  for (const FixedMethod& m : list) names.push_back(nameOf(m));
  return names;
}

void timeMethods(StudyRun& run, const ResamplingCase& c, const NufftOptions& options, bool adjoint,
                 bool measureError, const Progress& progress, const std::function<void(StudyRow)>& seen) {
  const auto list = adjoint ? spreadingList() : interpolationList();
  for (std::size_t i = 0; i < list.size(); ++i) {
    NufftBackend* const backend = run.backend(list[i].backend);
    if (!backend) continue;
    const double parts = double(list.size());
    const Candidate candidate =
        timeFixed(*backend, c, withMethod(options, list[i].method, adjoint, c.problem.dims),
                  adjoint ? Direction::adjoint : Direction::forward, run.request(), measureError,
                  progress.part(double(i) / parts, double(i + 1) / parts));
    seen(timedRow(c, nameOf(list[i]), adjoint, options.accuracy, candidate));
  }
}

void timePlugins(StudyRun& run, const ResamplingCase& c, double accuracy, bool adjoint, bool measureError,
                 const Progress& progress, const std::function<void(StudyRow)>& seen) {
  TuneRequest request;
  request.problem = c.problem;
  request.points = c.points;
  request.options.accuracy = accuracy;
  request.workload.direction = adjoint ? Direction::adjoint : Direction::forward;
  request.trials = run.request().trials;
  request.measureError = measureError;
  request.mustTime = true;
  for (Candidate candidate : pluginCandidates(run.backends(), request)) {
    const std::string ratio =
        candidate.options.alpha > 0 ? ", α " + numberText(candidate.options.alpha) : std::string();
    timeCandidate(*run.backend(candidate.backend), request, candidate, progress);
    seen(timedRow(c, candidate.backend + ratio, adjoint, accuracy, candidate));
  }
}

void addMissingFixed(StudyRun& run, std::span<const FixedMethod> list) {
  for (const FixedMethod& m : list)
    if (!run.backend(m.backend)) run.add(refusedRow(m.backend, nameOf(m)));
}

}  // namespace spokelab
