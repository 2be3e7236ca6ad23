#include "engine/profile/study/plan_race.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/core/measure/spans.h"
#include "engine/core/stage_timer.h"
#include "engine/nufft/exact/nudft.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/plan/plan.h"

namespace spokelab {
namespace {

constexpr unsigned raceSeed = 1;

template <class Real>
std::unique_ptr<Nufft<Real>> planOf(const NufftProblem& problem, const NufftOptions& options,
                                    NufftBackend* backend = nullptr) {
  if (backend) return backend->plan<Real>(problem, options);
  if constexpr (std::is_same_v<Real, float>)
    return makeCpuNufftFloat(problem, options);
  else
    return makeCpuNufftDouble(problem, options);
}

template <class Real>
Buffer<std::complex<Real>> randomData(std::int64_t count, unsigned from) {
  std::mt19937 random(from);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  Buffer<std::complex<Real>> data(static_cast<std::size_t>(count));
  for (auto& value : data) value = {uniform(random), uniform(random)};
  return data;
}

template <class Real>
std::vector<RaceRun> race(const NufftProblem& problem, std::span<const double> points,
                          std::span<const RaceEntry> entries, int rounds, const Progress& progress) {
  std::vector<std::unique_ptr<Nufft<Real>>> plans;
  std::vector<RaceRun> runs(entries.size());
  const auto steps = static_cast<double>(entries.size() * static_cast<std::size_t>(rounds + 2));
  double done = 0;
  const auto step = [&](const RaceRun& run) { progress.report(done++ / steps, run.info.description); };
  const SpanScope timesOnly(SpanCut::work);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double start = now();
    plans.push_back(planOf<Real>(problem, entries[i].options, entries[i].backend));
    runs[i].setPointsSeconds = timedStages([&] { plans.back()->setPoints(points); }).total;
    runs[i].info = plans.back()->info();
    tellSpan(runs[i].info.description, SpanKind::job, start, now());
    step(runs[i]);
  }
  const std::int64_t count = std::int64_t(points.size()) / problem.dims;
  const auto inSamples = randomData<Real>(problem.batch * count, raceSeed);
  const auto inImage = randomData<Real>(problem.batch * problem.pixels(), raceSeed + 1);
  auto outSamples = inSamples;
  auto outImage = inImage;
  for (int round = -1; round < rounds; ++round)
    for (std::size_t i = 0; i < plans.size(); ++i) {
      step(runs[i]);
      const double start = now();
      const StageTimings adjoint = timedStages([&] { plans[i]->adjoint(inSamples.data(), outImage.data()); });
      const StageTimings forward = timedStages([&] { plans[i]->forward(inImage.data(), outSamples.data()); });
      tellSpan(runs[i].info.description, SpanKind::job, start, now());
      if (round < 0) continue;
      runs[i].adjoint.push_back(adjoint);
      runs[i].forward.push_back(forward);
    }
  return runs;
}

// transform(in, out) of one direction, on random data.
template <class Real, class Transform>
double largestError(const NufftProblem& problem, const Transform& transform, std::span<const double> points,
                    bool adjoint, int outputs, int threads, const Progress& progress) {
  const std::int64_t count = std::int64_t(points.size()) / problem.dims, pixels = problem.pixels();
  const auto in = randomData<Real>(adjoint ? count : pixels, raceSeed);
  Buffer<std::complex<Real>> out(static_cast<std::size_t>(adjoint ? pixels : count));
  transform(in.data(), out.data());
  std::mt19937_64 random(raceSeed);
  std::uniform_int_distribution<std::int64_t> any(0, std::int64_t(out.size()) - 1);
  std::vector<std::int64_t> selection(static_cast<std::size_t>(outputs));
  for (std::int64_t& at : selection) at = any(random);
  const std::vector<cdouble> input(in.begin(), in.end());
  const std::vector<cdouble> exact = adjoint
                                         ? nudftAdjoint(problem, points, input, selection, threads, progress)
                                         : nudftForward(problem, points, input, selection, threads, progress);
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error = std::max(error, std::abs(cdouble(out[static_cast<std::size_t>(selection[i])]) - exact[i]));
    largest = std::max(largest, std::abs(exact[i]));
  }
  return error / largest;
}

template <class Real>
double largestErrorOfPlan(const NufftProblem& problem, const NufftOptions& options,
                          std::span<const double> points, bool adjoint, int outputs,
                          const Progress& progress) {
  const auto transform = [&](const std::complex<Real>* in, std::complex<Real>* out) {
    const auto plan = planOf<Real>(problem, options);
    plan->setPoints(points);
    if (adjoint)
      plan->adjoint(in, out);
    else
      plan->forward(in, out);
  };
  return largestError<Real>(problem, transform, points, adjoint, outputs, options.threads, progress);
}

}  // namespace

std::vector<RaceRun> racePlans(const NufftProblem& problem, std::span<const double> points,
                               std::span<const NufftOptions> plans, int rounds, const Progress& progress) {
  std::vector<RaceEntry> entries;
  for (const NufftOptions& options : plans) entries.push_back({options});
  return racePlans(problem, points, entries, rounds, progress);
}

std::vector<RaceRun> racePlans(const NufftProblem& problem, std::span<const double> points,
                               std::span<const RaceEntry> entries, int rounds, const Progress& progress) {
  return problem.precision == Precision::single ? race<float>(problem, points, entries, rounds, progress)
                                                : race<double>(problem, points, entries, rounds, progress);
}

double medianOf(const std::vector<StageTimings>& rounds,
                const std::function<double(const StageTimings&)>& value) {
  std::vector<double> values;
  for (const StageTimings& t : rounds) values.push_back(value(t));
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

StageTimings medianTimings(const std::vector<StageTimings>& rounds) {
  StageTimings result;
  for (std::size_t s = 0; s < std::size_t(stageCount); ++s) {
    result.seconds[s] = medianOf(rounds, [s](const StageTimings& t) { return t.seconds[s]; });
    result.bytes[s] = medianOf(rounds, [s](const StageTimings& t) { return t.bytes[s]; });
    result.parallel[s] = medianOf(rounds, [s](const StageTimings& t) { return t.parallel[s]; });
    result.worked[s] = medianOf(rounds, [s](const StageTimings& t) { return t.worked[s]; });
  }
  result.total = medianOf(rounds, [](const StageTimings& t) { return t.total; });
  return result;
}

NufftOptions optionsWith(const NufftProblem& problem, double alpha, double width, KernelType kernel) {
  constexpr double roomForPolynomial = 1.02, largest = 0.999;
  NufftOptions options;
  options.alpha = alpha;
  options.width = width;
  options.kernel = kernel;
  options.normal = NormalMethod::later;  // never applied
  const Kernel shape(kernel, width, alpha);
  const double bound = predictError(problem, shape, gridSize(problem, alpha, width), 0).bound;
  options.accuracy = std::min(largest, roomForPolynomial * bound);
  return options;
}

double largestRelativeError(const NufftProblem& problem, const NufftOptions& options,
                            std::span<const double> points, bool adjoint, int outputs,
                            const Progress& progress) {
  return problem.precision == Precision::single
             ? largestErrorOfPlan<float>(problem, options, points, adjoint, outputs, progress)
             : largestErrorOfPlan<double>(problem, options, points, adjoint, outputs, progress);
}

double largestRelativeError(const NufftProblem& problem, const DoubleTransform& transform,
                            std::span<const double> points, bool adjoint, int outputs,
                            const Progress& progress) {
  return largestError<double>(problem, transform, points, adjoint, outputs, 0, progress);
}

}  // namespace spokelab
