// Tells the iterations of a solver as they end: residuals, times and the objective into the
// solution, the present image to a watcher, whose command it carries out.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/core/text.h"
#include "engine/recon/job/job_account.h"
#include "engine/recon/operators/sense_operator.h"
#include "engine/recon/sense/solution_image.h"
#include "engine/recon/sense/transform_backend.h"

namespace spokelab {

template <VectorSpace Space>
class IterationNews {
 public:
  using Complex = typename Space::Complex;
  using Vector = typename Space::Vector;
  using Transform = SampleTransform<typename Space::Real>;

  // All arguments outlive it. problem: of the shown image; the watcher changes options.lambda.
  IterationNews(Space& space, const TransformBackend& backend, const SenseProblem& problem,
                IterationOptions& options, const IterationWatcher& watcher, SenseSolution& solution)
      : space_(space),
        backend_(backend),
        problem_(problem),
        options_(options),
        watcher_(watcher),
        solution_(solution),
        image_(space, problem, product(problem.matrix)) {}

  // x [unknowns]: the solver's present unknowns. The watcher sees the image that begins at x +
  // shown.
  void watch(const Transform& transform, Complex* x, std::int64_t unknowns, std::int64_t shown = 0) {
    transform_ = &transform;
    x_ = x;
    unknowns_ = unknowns;
    shown_ = shown;
  }

  // A watcher may stop the method, but its lambda and image are not taken
  // (IterationState::steerable).
  void ignoreSteering() { steerable_ = false; }

  // A solve: plan() calls watch(), then follow the right side, the iterations, and keep(), which
  // puts the image into the solution. Each has its time. A cancel inside the iterations is a
  // result.
  template <class Plan, class RightSide, class Iterate, class Keep>
  SenseSolution solve(const Plan& plan, const RightSide& rightSide, const Iterate& iterate,
                      const Keep& keep) {
    JobTimer planning(JobStage::plan);
    plan();
    space_.synchronize();
    solution_.planningSeconds = planning.end();
    Span gridding("right side", SpanKind::job);
    rightSide();
    space_.synchronize();
    solution_.rightSideSeconds = gridding.end();
    JobTimer iterating(JobStage::iterations);
    space_.takeTimed();
    start_ = iterationStart_ = now();
    try {
      iterate();
    } catch (const Cancelled&) {
      solution_.cancelled = true;
    }
    if (solution_.cancelled) solution_.ending = "cancelled";
    if (solution_.ending.empty())
      solution_.ending = solution_.converged ? "the tolerance was met" : "all iterations were done";
    keepTimes();
    keep();
    // Without pauses.
    solution_.iterationSeconds = solution_.timings.total = now() - start_;
    // A stage that has been told is over for the forecast (job/job_clock.h): the right side waits.
    tellSeconds(JobStage::transforms, solution_.rightSideSeconds);
    iterating.contains(JobStage::transforms, solution_.transformSeconds);
    iterating.pauses(solution_.pausedSeconds);
    describePlan();
    return std::move(solution_);
  }

  IterationAction tell(double residual, const Progress& progress, std::optional<double> objective = {}) {
    solution_.residuals.push_back(residual);
    if (objective) solution_.objectives.push_back(*objective);
    const double told = now();
    solution_.seconds.push_back(told - start_);
    const int iteration = int(solution_.residuals.size());
    tellSpan("iteration " + std::to_string(iteration), SpanKind::iteration, iterationStart_, told);
    solution_.parts.push_back(
        partsOf(keepTimes(), told - iterationStart_, transform_->plan().backend.empty()));
    IterationAction action = IterationAction::proceed;
    if (watcher_) action = ask(iteration, residual);
    if (watcher_) tellSpan("watcher", SpanKind::iteration, told, now());
    iterationStart_ = now();
    if (action != IterationAction::stop && options_.maxSeconds > 0 &&
        solution_.seconds.back() >= options_.maxSeconds) {
      action = IterationAction::stop;
      solution_.ending = "the time for iterations was used up";
    }
    if constexpr (SharedSpace<Space>) action = followFirst(action);
    solution_.stopped = action == IterationAction::stop;
    tellStep();
    progress.report(std::min(1.0, double(iteration) / options_.iterations),
                    "Iteration " + std::to_string(iteration) + ", residual " + numberText(residual, 2));
    return action;
  }

  // Keeps the times of the work since the last call.
  SpaceTimes keepTimes() {
    SpaceTimes times = space_.takeTimed();
    solution_.timings += times.stages;
    solution_.transformSeconds += times[SpaceWork::transforms];
    return times;
  }
  // Plans fill in their last numbers when they are executed.
  void describePlan() {
    solution_.plan = transform_->plan();
    if (solution_.plan.backend.empty()) {
      solution_.plan.backend = backend_.name();
      solution_.plan.options = problem_.nufft;
    }
    solution_.plan.options.accuracy = problem_.nufft.accuracy;  // of the whole, not of a part
    solution_.plan.description = solution_.transform;
  }
  // The present unknowns, or the ones with the smallest residual if the watcher asked for them.
  const Complex* chosen() const { return best_ && keepBest_ ? best_->data() : x_; }

 private:
  // All ranks follow the choices of rank 0's user: the action, another lambda, another image.
  IterationAction followFirst(IterationAction action) {
    action = space_.agreed(action);
    options_.lambda = space_.agreed(options_.lambda);
    if (action == IterationAction::restart) {
      if (!space_.isFirst()) space_.zero(x_, unknowns_);
      space_.sumOverRanks(x_, unknowns_);
    }
    return action;
  }

  IterationAction ask(int iteration, double residual) {
    if (!best_ || residual < bestResidual_) {
      if (!best_) best_ = space_.make(unknowns_);
      space_.copy(x_, best_->data(), unknowns_);
      bestResidual_ = residual;
    }
    IterationState state;
    state.iteration = iteration;
    state.residual = residual;
    state.seconds = solution_.seconds.back();
    state.lambda = options_.lambda;
    state.steerable = steerable_;
    state.matrix = problem_.matrix;
    describePlan();
    state.plan = &solution_.plan;
    state.image = [this] { return image_.onHost(x_ + shown_); };
    const IterationCommand command = watcher_(state);
    start_ += command.pausedSeconds;
    solution_.pausedSeconds += command.pausedSeconds;
    IterationAction action = command.action;
    keepBest_ = command.keepBest;
    if (action == IterationAction::stop) {
      solution_.ending = keepBest_ ? "stopped; the image of the smallest residual is kept" : "stopped";
      return action;
    }
    if (!steerable_) return action;
    const std::int64_t pixels = product(problem_.matrix);
    if (command.image && std::int64_t(command.image->size()) == pixels) {
      const std::vector<Complex> host(command.image->begin(), command.image->end());
      space_.upload(host.data(), x_ + shown_, pixels);
      space_.zero(x_ + shown_ + pixels, (problem_.mapSets - 1) * pixels);
      action = IterationAction::restart;
    }
    if (command.lambda >= 0 && command.lambda != options_.lambda) {
      solution_.lambdaChanges.push_back({iteration, options_.lambda, command.lambda});
      options_.lambda = command.lambda;
      best_.reset();  // residuals of another problem
      action = IterationAction::restart;
    }
    return action;
  }

  Space& space_;
  const TransformBackend& backend_;
  const SenseProblem& problem_;
  IterationOptions& options_;
  const IterationWatcher& watcher_;
  SenseSolution& solution_;
  SolutionImage<Space> image_;
  const Transform* transform_ = nullptr;
  Complex* x_ = nullptr;
  std::int64_t unknowns_ = 0, shown_ = 0;
  double start_ = 0;
  double iterationStart_ = 0;  // when an iteration ended, and the next one begins
  std::optional<Vector> best_;
  double bestResidual_ = 0;
  bool keepBest_ = false, steerable_ = true;
};

}  // namespace spokelab
