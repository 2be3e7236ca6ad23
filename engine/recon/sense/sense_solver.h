// The iterations of solve_sense.h on any space: included by the file of each machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/core/measure/trace.h"
#include "engine/core/text.h"
#include "engine/recon/coils/coil_mixer.h"
#include "engine/recon/functional/image_differences.h"
#include "engine/recon/sense/group_samples.h"
#include "engine/recon/sense/iteration_parts.h"
#include "engine/recon/sense/sense_plan.h"
#include "engine/recon/sense/solution_image.h"
#include "engine/recon/sense/solve_sense.h"
#include "engine/recon/solve/conjugate_gradient.h"
#include "engine/recon/solve/ending_text.h"
#include "engine/recon/solve/variation_split.h"

namespace spokelab {

template <VectorSpace Space>
class SenseSolver {
 public:
  using Real = typename Space::Real;
  using Complex = typename Space::Complex;
  using Vector = typename Space::Vector;

  SenseSolver(Space& space, TransformBackend& backend, const SenseProblem& problem,
              const IterationOptions& options, const IterationWatcher& watcher)
      : space_(space),
        backend_(backend),
        problem_(problem),
        options_(options),
        watcher_(watcher),
        pixels_(product(problem.matrix)),
        unknowns_(problem.mapSets * pixels_),
        neighbours_(space, problem.matrix, problem.dims, problem.mapSets),
        image_(space, problem, pixels_) {}

  SenseSolution run(const Progress& progress) {
    SensePlan<Space> plan;
    return run(plan, progress);
  }
  // The plan is made where there is none, else it is one of the same points, weights and field. It gets the
  // problem's maps if `newMaps`, its points and weights if `newPoints` (takesPoints()).
  SenseSolution run(SensePlan<Space>& plan, const Progress& progress, bool newMaps = false,
                    bool newPoints = false) {
    const double start = now();
    validate(problem_);
    requireRepeatable(problem_.nufft, options_);
    if (!plan.op) {
      makeSensePlan(space_, backend_, problem_, plan, progress.part(0, planningShare));
    } else {
      if (newPoints) renewPoints(space_, problem_, plan);
      if (newMaps) setSenseMaps(problem_, *plan.op);
    }
    plan_ = &plan;
    solution_.transform = plan.op->transform(0).description();
    solution_.notes = plan.notes;
    makeVectors();
    space_.synchronize();
    const double planned = now();
    solution_.planningSeconds = planned - start;
    traceSpan("plan", SpanKind::job, start, planned);
    rightSide(progress.part(planningShare, startShare));
    space_.synchronize();
    const std::int64_t moved = arraysMoved();
    const double began = start_ = told_ = now();
    solution_.rightSideSeconds = began - planned;
    traceSpan("right side", SpanKind::job, planned, began);
    space_.takeTimed();
    const Progress rest = progress.part(startShare, 1);
    try {
      if (!variesNow()) quadratic(rest);
      if (variesNow() && !solution_.stopped) totalVariation(rest);  // also where lambda rose from 0
    } catch (const Cancelled&) {
      solution_.cancelled = true;
    }
    if (solution_.cancelled) solution_.ending = "cancelled";
    if (solution_.ending.empty())
      solution_.ending = solution_.converged ? "the tolerance was met" : "as many as asked for";
    solution_.arraysMoved = arraysMoved() - moved;
    keepTimes();
    image_.keep(best_ && keepBest_ ? best_->data() : x_.data(), solution_);
    solution_.iterationSeconds = solution_.timings.total = now() - start_;
    traceSpan("iterations", SpanKind::job, began, now());
    describePlan();
    return std::move(solution_);
  }

 private:
  static constexpr double planningShare = 0.15, startShare = 0.18;

  void makeVectors() {
    b_ = space_.make(unknowns_);
    x_ = space_.make(unknowns_);
    space_.zero(x_.data(), unknowns_);
  }

  SenseOperator<Space>& op() const { return *plan_->op; }

  // Of the work since the last time.
  SpaceTimes keepTimes() {
    SpaceTimes times = space_.takeTimed();
    solution_.timings += times.stages;
    solution_.transformSeconds += times[SpaceWork::transforms];
    return times;
  }

  // Plans fill in their last numbers when they are executed.
  void describePlan() {
    solution_.plan = op().transform(0).plan();
    if (solution_.plan.backend.empty()) {
      solution_.plan.backend = backend_.name();
      solution_.plan.options = problem_.nufft;
    }
    solution_.plan.options.accuracy = problem_.nufft.accuracy;  // of the whole, not of a part
    solution_.plan.description = solution_.transform;
  }

  std::int64_t arraysMoved() const {
    if constexpr (requires(const Space& s) { s.copies(); })
      return space_.copies();
    else
      return 0;
  }

  // Where the samples of a coil lie in the space already, in the order of the group; null: nowhere.
  const Complex* copyThere(const ComplexPointer& coil, const ShotGroup& group) const {
    if constexpr (std::is_same_v<Complex, cfloat>) {
      const cfloat* const* host = std::get_if<const cfloat*>(&coil);
      if (problem_.mixer && host && group.samples.contiguous() && !group.samples.empty())
        return problem_.mixer->copyOf(*host + group.samples.front());
    }
    return nullptr;
  }

  // Of `most` coils from the first one on, whose samples of the group lie at `from`: how many follow each other there, and
  // are copied nowhere yet.
  std::int64_t runOf(const Complex* from, std::int64_t first, std::int64_t most,
                     const ShotGroup& group) const {
    const auto count = std::int64_t(group.samples.size());
    std::int64_t run = 1;
    for (; run < most; ++run) {
      const ComplexPointer& coil = problem_.coils[std::size_t(first + run)];
      const Complex* const* const same = std::get_if<const Complex*>(&coil);
      if (!same || *same + group.samples.front() != from + run * count || copyThere(coil, group)) break;
    }
    return run;
  }

  // b = sum_g,c conj(C_c e^{i phi_g}) A_g^H W y / D
  void rightSide(const Progress& progress) {
    const std::vector<ShotGroup>& shots = plan_->shots;
    const std::int64_t coils = std::int64_t(problem_.coils.size()), batch = op().batch();
    bool add = false;
    double energy = 0, values = 0;  // of the samples
    Buffer<Complex> host;           // of samples that a coil does not hold as the transform takes them
    for (std::size_t g = 0; g < shots.size(); ++g) {
      const auto& samples = shots[g].samples;
      const std::int64_t count = std::int64_t(samples.size());
      Vector device = space_.make(batch * count);
      for (std::int64_t c = 0; c < op().coils(); c += batch) {
        for (std::int64_t i = 0; i < batch; ++i) {
          Complex* const to = device.data() + i * count;
          if (c + i >= coils) {
            space_.zero(to, count);
            continue;
          }
          const ComplexPointer& coil = problem_.coils[std::size_t(c + i)];
          if (problem_.deviceImage)
            space_.copy(deviceSamples<Complex>(coil, shots[g]), to, count);
          else if (const Complex* const there = copyThere(coil, shots[g]))
            space_.copy(there, to, count);
          else {
            const Complex* const from = groupSamples(coil, shots[g], problem_.nufft.threads, host);
            const std::int64_t run =
                from == host.data() ? 1 : runOf(from, c + i, std::min(batch - i, coils - c - i), shots[g]);
            space_.upload(from, to, run * count);
            values += double((run - 1) * count);
            i += run - 1;
          }
          values += double(count);
        }
        if constexpr (SharedSpace<Space>)
          energy += space_.ownDot(device.data(), device.data(), batch * count);
        else
          energy += space_.dot(device.data(), device.data(), batch * count);
        op().addAdjoint(std::int64_t(g), c, device.data(), b_.data(), true, add, progress);
        add = true;
      }
    }
    if constexpr (SharedSpace<Space>) {
      space_.sumOverRanks(b_.data(), unknowns_);
      energy = space_.sumOfRanks(energy);
      values = space_.sumOfRanks(values);
    }
    if (options_.regularization == Regularization::totalVariation) scale_ = largestMagnitude(b_.data());
    const double target = norm(b_.data());
    if (!std::isfinite(target) || !std::isfinite(energy))
      throw Error("Cannot reconstruct iteratively", "a sample is not finite, or too large for the precision",
                  "Remove such samples, scale them down, or use double precision");
    if (target > 0)
      noiseShare_ = std::sqrt(energy / values * plan_->weightSquares * op().mapEnergy()) / target;
  }

  void addRegularization(const Complex* in, Complex* out, double lambda, bool rough) {
    if (lambda == 0) return;
    space_.timed(SpaceWork::regularizer, [&] {
      if (rough)
        neighbours_.addNormal(lambda, in, out);
      else
        space_.axpy(Real(lambda), in, out, unknowns_);
    });
  }

  IterationAction tell(double residual, const Progress& progress) {
    solution_.residuals.push_back(residual);
    const double told = now();
    solution_.seconds.push_back(told - start_);
    const int iteration = int(solution_.residuals.size());
    traceSpan("iteration " + std::to_string(iteration), SpanKind::iteration, told_, told);
    solution_.parts.push_back(partsOf(keepTimes(), told - told_, op().transform(0).plan().backend.empty()));
    IterationAction action = IterationAction::proceed;
    if (watcher_) action = ask(iteration, residual);
    if (watcher_) traceSpan("watcher", SpanKind::iteration, told, now());
    told_ = now();
    if (action != IterationAction::stop && options_.maxSeconds > 0 &&
        solution_.seconds.back() >= options_.maxSeconds) {
      action = IterationAction::stop;
      solution_.ending = "the time for iterations was used up";
    }
    if constexpr (SharedSpace<Space>) action = followFirst(action);
    solution_.stopped = action == IterationAction::stop;
    progress.report(std::min(1.0, double(iteration) / options_.iterations),
                    "Iteration " + std::to_string(iteration) + ", residual " + numberText(residual, 2));
    return action;
  }

  // What rank 0's user chose holds for all: the action, another lambda, another image.
  IterationAction followFirst(IterationAction action) {
    action = space_.agreed(action);
    options_.lambda = space_.agreed(options_.lambda);
    if (action == IterationAction::restart) {
      if (!space_.isFirst()) space_.zero(x_.data(), unknowns_);
      space_.sumOverRanks(x_.data(), unknowns_);
    }
    return action;
  }

  IterationAction ask(int iteration, double residual) {
    if (!best_ || residual < bestResidual_) {
      if (!best_) best_ = space_.make(unknowns_);
      space_.copy(x_.data(), best_->data(), unknowns_);
      bestResidual_ = residual;
    }
    IterationState state;
    state.iteration = iteration;
    state.residual = residual;
    state.seconds = solution_.seconds.back();
    state.lambda = options_.lambda;
    state.matrix = problem_.matrix;
    describePlan();
    state.plan = &solution_.plan;
    state.image = [this] { return image_.onHost(x_.data()); };
    const IterationCommand command = watcher_(state);
    start_ += command.pausedSeconds;
    solution_.pausedSeconds += command.pausedSeconds;
    IterationAction action = command.action;
    keepBest_ = command.keepBest;
    if (action == IterationAction::stop) {
      solution_.ending = keepBest_ ? "stopped; the image of the smallest residual is kept" : "stopped";
      return action;
    }
    if (command.image && std::int64_t(command.image->size()) == pixels_) {
      const std::vector<Complex> host(command.image->begin(), command.image->end());
      space_.upload(host.data(), x_.data(), pixels_);
      space_.zero(x_.data() + pixels_, unknowns_ - pixels_);
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

  bool variesNow() const {
    return options_.regularization == Regularization::totalVariation && options_.lambda > 0;
  }

  void quadratic(const Progress& progress) {
    const bool rough = options_.regularization == Regularization::roughness;
    const auto apply = [&](const Complex* in, Complex* out) {
      op().normal(in, out, progress);
      addRegularization(in, out, options_.lambda, rough);
    };
    ConjugateGradientOptions options{options_.iterations, options_.tolerance, options_.minChange};
    options.accuracy = op().transformError() * noiseShare_;
    options.keptResiduals = keptResiduals(options_, unknowns_ * std::int64_t(sizeof(Complex)));
    if constexpr (SharedSpace<Space>) options.keptResiduals = space_.agreed(options.keptResiduals);
    const auto result =
        conjugateGradient(space_, apply, b_.data(), x_.data(), unknowns_, options, [&](int, double residual) {
          const IterationAction action = tell(residual, progress);
          return action == IterationAction::restart && variesNow() ? IterationAction::stop : action;
        });
    solution_.converged = result.end == ConjugateGradientEnd::tolerance;
    if (solution_.ending.empty()) solution_.ending = endingText(result.end, op().transformError());
  }

  void totalVariation(const Progress& progress) {
    const auto apply = [&](const Complex* in, Complex* out) { op().normal(in, out, progress); };
    const auto lambda = [this] { return options_.lambda; };
    const VariationSplitOptions options{options_.iterations - int(solution_.residuals.size()),
                                        options_.tolerance, options_.minChange, scale_};
    const VariationSplitEnd end =
        variationSplit(space_, apply, b_.data(), x_.data(), unknowns_, neighbours_, lambda, options,
                       [&](double residual) { return tell(residual, progress); });
    solution_.converged = end == VariationSplitEnd::tolerance;
    if (end == VariationSplitEnd::settled) solution_.ending = endingText(ConjugateGradientEnd::settled, 0);
  }

  double norm(const Complex* x) const { return std::sqrt(space_.dot(x, x, unknowns_)); }
  double largestMagnitude(const Complex* x) {
    double most = 0;
    for (const cfloat& v : image_.onHost(x)) most = std::max(most, double(std::abs(v)));
    if constexpr (SharedSpace<Space>) most = space_.agreed(most);
    return most;
  }

  Space& space_;
  TransformBackend& backend_;
  const SenseProblem& problem_;
  IterationOptions options_;
  const IterationWatcher& watcher_;
  std::int64_t pixels_, unknowns_;  // of one image; of those of all sets
  ImageDifferences<Space> neighbours_;
  SolutionImage<Space> image_;
  Vector b_, x_;
  std::optional<Vector> best_;
  double bestResidual_ = 0, start_ = 0, scale_ = 1;
  double told_ = 0;  // when an iteration ended, and the next one begins
  // |A^H W e| / |A^H W y| where e is noise as strong as y: the transform's error, times this, is
  // the residual that it leaves.
  double noiseShare_ = 0;
  bool keepBest_ = false;
  SensePlan<Space>* plan_ = nullptr;
  SenseSolution solution_;
};

}  // namespace spokelab
