#include "engine/nufft/tune/record_timeline.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/nufft/tune/timing.h"

namespace spokelab {
namespace {

constexpr int runs = 3;

template <class Real>
Timeline record(NufftBackend& backend, const TuneRequest& request, const Progress& progress) {
  TimingData data(request);
  const auto plan = backend.plan<Real>(request.problem, request.options);
  plan->setPoints(request.points);
  std::vector<Timeline> recorded;
  for (int run = 0; run <= runs; ++run) {
    progress.report(static_cast<double>(run) / (runs + 1), "Recording a time line");
    progress.checkpoint();
    Timeline timeline;
    {
      const TimelineRecorder view(timeline);
      plan->adjoint(data.samples<Real>(), data.image<Real>());
    }
    if (run > 0) recorded.push_back(std::move(timeline));
  }
  const auto median = recorded.begin() + runs / 2;
  std::nth_element(recorded.begin(), median, recorded.end(),
                   [](const Timeline& a, const Timeline& b) { return a.seconds() < b.seconds(); });
  median->plan = plan->info().description;
  return std::move(*median);
}

}  // namespace

Timeline recordTimeline(NufftBackend& backend, const NufftProblem& problem, std::span<const double> points,
                        const NufftOptions& options, const Progress& progress) {
  if (backend.name() != "cpu" || options.spread == Method::sparse)
    throw Error("Cannot record a time line",
                backend.name() != "cpu"
                    ? "the plan runs on the GPU, which schedules its threads itself"
                    : "the plan multiplies with sparse matrices, which no scheduler shares out",
                "Choose the CPU and the blocked spreading method");
  TuneRequest request;
  request.problem = problem;
  request.problem.batch = 1;
  request.points = points;
  request.options = options;
  request.options.normal = NormalMethod::later;  // never applied
  request.workload.direction = Direction::adjoint;
  return problem.precision == Precision::single ? record<float>(backend, request, progress)
                                                : record<double>(backend, request, progress);
}

}  // namespace spokelab
