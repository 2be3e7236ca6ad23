#include "engine/profile/study/cufinufft/fixed_methods.h"

#include "engine/profile/study/study_definition.h"

namespace spokelab {
namespace {

constexpr double sigma = 2;
constexpr int subproblemPoints = 1024;  // M_sub

constexpr FixedMethod spreading[] = {{"cuda", Method::pointDriven}, {"cuda", Method::pointSorted},
                                     {"cuda", Method::subproblem},  {"cuda", Method::tensor},
                                     {"cuda", Method::fixedPoint},  {"cuda", Method::outputDriven},
                                     {"cpu", Method::blocked}};
constexpr FixedMethod interpolation[] = {{"cuda", Method::pointDriven},
                                         {"cuda", Method::pointSorted},
                                         {"cuda", Method::subproblem},
                                         {"cuda", Method::tensor},
                                         {"cpu", Method::blocked}};

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

NufftOptions semicircleOptions(const NufftProblem& problem, double width) {
  return optionsWith(problem, sigma, width, KernelType::semicircle);
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
    StudyRow row = rowFor(c, nameOf(list[i]), adjoint);
    row.candidate = candidate;
    row.refused = candidate.refused;
    row.seconds = candidate.timings.total;
    row.transferSeconds = candidate.transferSeconds;
    row.setUpSeconds = candidate.setPointsSeconds;
    row.c.accuracy = options.accuracy;
    seen(std::move(row));
  }
}

void addMissingFixed(StudyRun& run, std::span<const FixedMethod> list) {
  for (const FixedMethod& m : list)
    if (!run.backend(m.backend)) run.add(refusedRow(m.backend, nameOf(m)));
}

}  // namespace spokelab
