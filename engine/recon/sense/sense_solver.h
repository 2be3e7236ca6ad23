// The iterations of solve_sense.h on any space: included by the file of each machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/core/measure/trace.h"
#include "engine/core/text.h"
#include "engine/recon/functional/denoised.h"
#include "engine/recon/functional/generalized_variation.h"
#include "engine/recon/functional/image_differences.h"
#include "engine/recon/functional/wavelets.h"
#include "engine/recon/sense/dual/kspace_preconditioner.h"
#include "engine/recon/sense/proximal_iterations.h"
#include "engine/recon/sense/right_side.h"
#include "engine/recon/sense/sense_plan.h"
#include "engine/recon/sense/solve_sense.h"
#include "engine/recon/solve/conjugate_gradient.h"
#include "engine/recon/solve/ending_text.h"
#include "engine/recon/solve/lsmr.h"
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
        pixels_(product(problem.matrix)),
        unknowns_(problem.mapSets * pixels_),
        neighbours_(space, problem.matrix, problem.dims, problem.mapSets),
        image_(space, problem, pixels_),
        news_(space, backend, problem, options_, watcher, solution_) {}

  SenseSolution run(const Progress& progress) {
    SensePlan<Space> plan;
    return run(plan, progress);
  }
  // An empty plan is made; another one must have the same points, weights and field. It gets the
  // problem's maps if `newMaps`, its points and weights if `newPoints` (takesPoints()).
  SenseSolution run(SensePlan<Space>& plan, const Progress& progress, bool newMaps = false,
                    bool newPoints = false) {
    plan_ = &plan;
    std::int64_t moved = 0;
    return news_.solve([&] { makePlan(newMaps, newPoints, progress.part(0, planningShare)); },
                       [&] { rightSide(progress.part(planningShare, startShare)); },
                       [&] {
                         moved = arraysMoved();
                         iterate(progress.part(startShare, 1));
                       },
                       [&] {
                         solution_.arraysMoved = arraysMoved() - moved;
                         image_.keep(news_.chosen(), solution_);
                       });
  }

 private:
  static constexpr double planningShare = 0.15, startShare = 0.18;

  void makePlan(bool newMaps, bool newPoints, const Progress& progress) {
    validate(problem_);
    if (comparesFrames(options_.regularization))
      throw Error("Cannot reconstruct iteratively", "the regularization compares frames, and this is one",
                  "Use another method, or a scan with frames");
    requireRepeatable(problem_.nufft, options_);
    if (!plan_->op) {
      makeSensePlan(space_, backend_, problem_, *plan_, progress);
    } else {
      if (newPoints) renewPoints(space_, problem_, *plan_);
      if (newMaps) setSenseMaps(problem_, op());
    }
    solution_.transform = op().transform(0).description();
    solution_.notes = plan_->notes;
    b_ = space_.make(unknowns_);
    x_ = space_.make(unknowns_);
    space_.zero(x_.data(), unknowns_);
    news_.watch(op().transform(0), x_.data(), unknowns_);
  }

  void iterate(const Progress& progress) {
    if (isProximal())
      proximal(progress);
    else if (!variesNow())
      quadratic(progress);
    // Also where lambda rose from 0.
    if (variesNow() && !solution_.stopped) totalVariation(progress);
  }

  SenseOperator<Space>& op() const { return *plan_->op; }

  std::int64_t arraysMoved() const {
    if constexpr (requires(const Space& s) { s.copies(); })
      return space_.copies();
    else
      return 0;
  }

  // b = sum_g,c conj(C_c e^{i phi_g}) A_g^H W y / D
  void rightSide(const Progress& progress) {
    RightSide<Space> right(space_, problem_, op());
    right.measuresWeighted = isProximal();
    if (keepsSamples()) samples_.emplace(space_, op());
    for (std::size_t g = 0; g < plan_->shots.size(); ++g) {
      if (samples_) right.kept = samples_->place(std::int64_t(g));
      right.add(plan_->shots[g], std::int64_t(g), g > 0, b_.data(), progress);
    }
    if constexpr (SharedSpace<Space>) space_.sumOverRanks(b_.data(), unknowns_);
    const SampleSums sums = right.sums();
    halfEnergy_ = sums.weightedEnergy / 2;
    if (options_.regularization == Regularization::totalVariation || isProximal())
      scale_ = largestMagnitude(b_.data());
    const double target = norm(b_.data());
    requireFiniteSums(target, sums);
    if (target > 0)
      noiseShare_ = std::sqrt(sums.energy / sums.values * plan_->weightSquares * op().mapEnergy()) / target;
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

  bool isProximal() const { return options_.regularization >= Regularization::wavelets; }
  bool keepsSamples() const {
    if (isProximal())
      return options_.solver == IterationSolver::primalDual ||
             options_.solver == IterationSolver::preconditionedDual;
    return options_.solver == IterationSolver::lsmr && options_.regularization == Regularization::tikhonov;
  }

  void proximal(const Progress& progress) {
    if (options_.regularization == Regularization::generalizedVariation) {
      GeneralizedVariation<Space> variation(space_, problem_.matrix, problem_.dims, problem_.mapSets);
      proximal(variation, progress);
    } else if (options_.regularization == Regularization::denoiser) {
      Denoised<Space> denoised(space_, denoiserOf(options_),
                               {problem_.mapSets, problem_.dims, problem_.matrix, 0, problem_.nufft.threads},
                               scale_, progress);
      proximal(denoised, progress);
      noteDenoiser(options_, solution_);
    } else {
      Wavelets<Space> wavelets(space_, problem_.matrix, problem_.dims, problem_.mapSets,
                               options_.randomShifts, false, options_.family);
      proximal(wavelets, progress);
    }
  }

  // P of the samples; groups of shots with phases have ones.
  void precondition(const Progress& progress) {
    samples_->hear(progress);
    if (options_.solver != IterationSolver::preconditionedDual) return;
    if (op().groups() > 1 || !plan_->shots.front().samples.contiguous()) {
      solution_.notes.push_back("no preconditioner: shots have phases, or not all take part");
      return;
    }
    const std::vector<double> p =
        kspacePreconditioner(problem_, totalWeight(problem_, plan_->shots), progress);
    samples_->p().assign(std::size_t(samples_->count()), 1);  // also of the padding
    std::copy(p.begin(), p.end(), samples_->p().begin());
  }

  template <class Functional>
  void proximal(Functional& functional, const Progress& progress) {
    const auto apply = [&](const Complex* in, Complex* out) { op().normal(in, out, progress); };
    if (samples_) precondition(progress);
    proximalIterations(
        space_, apply, functional, b_.data(), x_.data(), unknowns_, scale_, halfEnergy_, options_,
        [&](double residual, std::optional<double> objective) {
          return news_.tell(residual, progress, objective);
        },
        solution_, samples_ ? &*samples_ : nullptr);
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
    const auto each = [&](int, double residual) {
      const IterationAction action = news_.tell(residual, progress);
      return action == IterationAction::restart && variesNow() ? IterationAction::stop : action;
    };
    const auto solve = [&] {
      if (!samples_) return conjugateGradient(space_, apply, b_.data(), x_.data(), unknowns_, options, each);
      samples_->hear(progress);
      return lsmr(
          space_, *samples_, x_.data(), unknowns_, [this] { return options_.lambda; }, options, each);
    };
    const ConjugateGradientResult result = solve();
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
                       [&](double residual) { return news_.tell(residual, progress); });
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
  std::int64_t pixels_, unknowns_;  // of one image; of the images of all sets
  ImageDifferences<Space> neighbours_;
  SolutionImage<Space> image_;
  Vector b_, x_;
  std::optional<CoilSamples<Space>> samples_;  // of solvers that keep them
  double scale_ = 1;                           // S
  double halfEnergy_ = 0;                      // 1/2 sum W |y|^2 / D
  // |A^H W e| / |A^H W y| where e is noise as strong as y: the transform's error, times this, is
  // the residual that it leaves.
  double noiseShare_ = 0;
  SensePlan<Space>* plan_ = nullptr;
  SenseSolution solution_;
  IterationNews<Space> news_;
};

}  // namespace spokelab
