// Solves all frames of a slice together, each with its points: minimise over x [frame, set, pixel]
//   1/2 sum_t |W_t^{1/2} (E_t x_t - y_t)|^2 / D_t + lambda S R(x)
// E_t, W_t, D_t as in solve_sense.h. S: the largest magnitude of all right sides E^H W y / D, of
// frames or coefficients. R: jumps between the frames of a train (GRASP, Feng et al. 2014),
// optionally with jumps between pixels; nuclear norms of all frames or of blocks; joint wavelets
// (folder functional); or x is a sum of a low-rank part and one with few frequencies in
// each train. With a basis
// (SenseProblem::basis) the unknown is the images c [coefficient, set, pixel] of x_t = sum_k phi(t,
// k) c_k, D is the mean of all D_t, and R may also be quadratic (1/2 lambda R, without S), or the
// jumps between pixels of each coefficient. Coil maps are the first frame's; the other problems'
// are not read. A template on the space: the host's solver and the GPU's each instantiate it.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "engine/recon/functional/denoised.h"
#include "engine/recon/functional/frame_trains.h"
#include "engine/recon/functional/image_differences.h"
#include "engine/recon/functional/joint_variation.h"
#include "engine/recon/functional/local_low_rank.h"
#include "engine/recon/functional/low_rank.h"
#include "engine/recon/functional/low_rank_sparse.h"
#include "engine/recon/functional/temporal_variation.h"
#include "engine/recon/functional/wavelets.h"
#include "engine/recon/sense/proximal_iterations.h"
#include "engine/recon/sense/right_side.h"
#include "engine/recon/sense/sense_plan.h"
#include "engine/recon/sense/unknowns/frame_basis.h"
#include "engine/recon/solve/conjugate_gradient.h"

namespace spokelab {

template <VectorSpace Space>
class JointSolver {
 public:
  using Complex = typename Space::Complex;
  using Vector = typename Space::Vector;

  // frames: at least two, of one matrix, without phases of shots.
  JointSolver(Space& space, TransformBackend& backend, const std::vector<SenseProblem>& frames,
              const IterationOptions& options, const IterationWatcher& watcher)
      : space_(space),
        backend_(backend),
        frames_(frames),
        options_(options),
        shown_(frames.front().basis.empty() ? frames.size() / 2 : 0),
        imageUnknowns_(frames.front().mapSets * product(frames.front().matrix)),
        basis_(space, frames, imageUnknowns_),
        unknowns_(imageUnknowns_ * basis_.images()),
        places_(frames.size()),
        news_(space, backend, frames[shown_], options_, watcher, solution_) {
    placeFrames();
  }

  SenseSolution run(const Progress& progress) {
    constexpr double planningShare = 0.15, startShare = 0.18;
    return news_.solve([&] { prepare(progress.part(0, planningShare)); },
                       [&] { rightSide(progress.part(planningShare, startShare)); },
                       [&] { iterate(progress.part(startShare, 1)); }, [&] { keepImages(); });
  }

 private:
  // The images of a train follow each other.
  void placeFrames() {
    std::map<int, std::vector<std::size_t>> trains;
    for (std::size_t t = 0; t < frames_.size(); ++t) trains[frames_[t].train].push_back(t);
    std::vector<std::int64_t> lengths;
    std::int64_t place = 0;
    for (const auto& [number, train] : trains) {
      lengths.push_back(std::int64_t(train.size()));
      for (const std::size_t t : train) places_[t] = imageUnknowns_ * place++;
    }
    trains_ = basis_.acts() ? FrameTrains(basis_.images()) : FrameTrains(std::move(lengths));
  }

  void prepare(const Progress& progress) {
    for (const SenseProblem& frame : frames_) validate(frame, &frame == &frames_.front());
    requireRepeatable(frames_.front().nufft, options_);
    makePlan(progress);
    const auto& told = plan_.op->transform(usesKernels_ ? firstKernel_ : groupOf_[shown_]);
    solution_.transform = told.description();
    if (usesKernels_) solution_.transform += ", one for each pair of coefficients";
    solution_.notes = plan_.notes;
    b_ = space_.make(unknowns_);
    x_ = space_.make(unknowns_);
    space_.zero(x_.data(), unknowns_);
    news_.watch(told, x_.data(), unknowns_, places_[shown_]);
  }

  // A group of the operator for each frame, one for all that have the same points.
  void makePlan(const Progress& progress) {
    std::vector<typename SenseOperator<Space>::Group> groups;
    double meanWeight = 0;
    for (const SenseProblem& frame : frames_)
      if (basis_.acts()) meanWeight += totalWeight(frame, shotGroups(frame)) / double(frames_.size());
    for (std::size_t t = 0; t < frames_.size(); ++t) {
      progress.report(double(t) / double(frames_.size()), "Planning transforms");
      const SenseProblem& frame = frames_[t];
      const bool known = t > 0 && frame.points.data() == frames_.front().points.data();
      shots_.push_back(shotGroups(frame).front());
      groupOf_.push_back(known ? 0 : std::int64_t(groups.size()));
      if (known) continue;
      SenseProblem transformed = frame;
      if (frame.transform == TransformKind::automatic && fieldActs(frame))  // nobody has tuned yet
        transformed = withPath(backend_, frame, shots_.back(), plan_.notes, progress);
      typename SenseOperator<Space>::Group group;
      group.transform = makeGroupTransform(space_, backend_, transformed, transformed.transform,
                                           shots_.back(), plan_.notes, progress);
      setGroupWeights(space_, frame, shots_.back(),
                      basis_.acts() ? meanWeight : totalWeight(frame, {shots_.back()}), group, plan_);
      groups.push_back(std::move(group));
    }
    if (frames_.front().basisKernels) {
      firstKernel_ = std::int64_t(groups.size());
      auto kernels = makeBasisKernels<typename Space::Real>(backend_, frames_, shots_, meanWeight,
                                                            plan_.notes, progress);
      usesKernels_ = !kernels.empty();
      for (auto& kernel : kernels) groups.emplace_back().transform = std::move(kernel);
    }
    std::sort(plan_.notes.begin(), plan_.notes.end());
    plan_.notes.erase(std::unique(plan_.notes.begin(), plan_.notes.end()), plan_.notes.end());
    const SenseProblem& first = frames_.front();
    plan_.op.emplace(space_, std::move(groups), first.mapSets, std::int64_t(first.coils.size()),
                     product(first.matrix));
    setSenseMaps(first, *plan_.op);
  }

  void rightSide(const Progress& progress) {
    Vector own;
    if (basis_.acts()) {
      own = space_.make(imageUnknowns_);
      space_.zero(b_.data(), unknowns_);
    }
    for (std::size_t t = 0; t < frames_.size(); ++t) {
      RightSide<Space> right(space_, frames_[t], *plan_.op);
      right.measuresWeighted = true;
      Complex* const b = basis_.acts() ? own.data() : b_.data() + places_[t];
      right.add(shots_[t], groupOf_[t], false, b, progress);
      const SampleSums sums = right.sums();
      requireFiniteSums(std::sqrt(space_.dot(b, b, imageUnknowns_)), sums);
      halfEnergy_ += sums.weightedEnergy / 2;
      if (basis_.acts()) basis_.addAdjoint(t, b, b_.data());
    }
    SolutionImage<Space> image(space_, frames_.front(), product(frames_.front().matrix));
    for (std::int64_t i = 0; i < basis_.images(); ++i)
      for (const cfloat& v : image.onHost(b_.data() + imageUnknowns_ * i))
        scale_ = std::max(scale_, double(std::abs(v)));
  }

  // out = E^H W E in
  void normal(const Complex* in, Complex* out, const Progress& progress) {
    const auto ofGroup = [&](std::int64_t group, const Complex* image, Complex* result) {
      plan_.op->normalOf(group, image, result, progress);
    };
    if (usesKernels_)
      return basis_.normalByKernels([&](std::int64_t pair, const Complex* image,
                                        Complex* result) { ofGroup(firstKernel_ + pair, image, result); },
                                    in, out);
    if (basis_.acts()) return basis_.normal(groupOf_, ofGroup, in, out);
    for (std::size_t t = 0; t < frames_.size(); ++t) ofGroup(groupOf_[t], in + places_[t], out + places_[t]);
  }

  // |x|^2, or the roughness of each unknown image.
  void quadratic(const Progress& progress) {
    const SenseProblem& first = frames_.front();
    const bool rough = options_.regularization == Regularization::roughness;
    ImageDifferences<Space> neighbours(space_, first.matrix, first.dims,
                                       int(basis_.images()) * first.mapSets);
    const auto apply = [&](const Complex* in, Complex* out) {
      normal(in, out, progress);
      if (options_.lambda == 0) return;
      space_.timed(SpaceWork::regularizer, [&] {
        if (rough)
          neighbours.addNormal(options_.lambda, in, out);
        else
          space_.axpy(typename Space::Real(options_.lambda), in, out, unknowns_);
      });
    };
    ConjugateGradientOptions options{options_.iterations, options_.tolerance, options_.minChange};
    options.keptResiduals = keptResiduals(options_, unknowns_ * std::int64_t(sizeof(Complex)));
    const auto result =
        conjugateGradient(space_, apply, b_.data(), x_.data(), unknowns_, options,
                          [&](int, double residual) { return news_.tell(residual, progress); });
    solution_.converged = result.end == ConjugateGradientEnd::tolerance;
    if (solution_.ending.empty()) solution_.ending = endingText(result.end, plan_.op->transformError());
  }

  void iterate(const Progress& progress) {
    const std::int64_t images = basis_.images();
    const SenseProblem& first = frames_.front();
    if (options_.regularization == Regularization::tikhonov ||
        options_.regularization == Regularization::roughness) {
      quadratic(progress);
    } else if (options_.regularization == Regularization::locallyLowRank) {
      LocalLowRank<Space> blocks(space_, first.matrix, first.dims, images, first.mapSets, options_.block,
                                 options_.blockPlaces, first.nufft.threads);
      iterate(blocks, progress);
    } else if (options_.regularization == Regularization::jointWavelets) {
      Wavelets<Space> wavelets(space_, first.matrix, first.dims, images * first.mapSets,
                               options_.randomShifts, true, options_.family);
      iterate(wavelets, progress);
    } else if (options_.regularization == Regularization::lowRankSparse) {
      lowRankAndSparse(progress);
    } else if (options_.regularization == Regularization::lowRank) {
      LowRank<Space> lowRank(space_, images, imageUnknowns_, first.nufft.threads);
      iterate(lowRank, progress);
    } else if (options_.regularization == Regularization::denoiser) {
      Denoised<Space> denoised(space_, denoiserOf(options_),
                               {images * first.mapSets, first.dims, first.matrix, 0, first.nufft.threads},
                               scale_, progress);
      iterate(denoised, progress);
      noteDenoiser(options_, solution_);
    } else if (options_.regularization == Regularization::totalVariation || options_.spatialWeight > 0) {
      // The coefficients of a basis have no order in time.
      const bool inTime = options_.regularization == Regularization::temporalVariation;
      JointVariation<Space> variation(space_, first.matrix, first.dims, trains_, first.mapSets,
                                      {inTime ? 1.0 : 0.0, inTime ? options_.spatialWeight : 1.0});
      iterate(variation, progress);
    } else {
      TemporalVariation<Space> variation(space_, trains_, imageUnknowns_);
      iterate(variation, progress);
    }
  }

  template <class Functional>
  void iterate(Functional& functional, const Progress& progress) {
    proximalIterations(
        space_, [&](const Complex* in, Complex* out) { normal(in, out, progress); }, functional, b_.data(),
        x_.data(), unknowns_, scale_, halfEnergy_, options_,
        [&](double residual, std::optional<double> objective) {
          return news_.tell(residual, progress, objective);
        },
        solution_);
  }

  // The unknowns are L and S, [part, frame, set, pixel]; x is their sum.
  void lowRankAndSparse(const Progress& progress) {
    const std::int64_t n = unknowns_;
    Vector parts = space_.make(2 * n), right = space_.make(2 * n);
    space_.zero(parts.data(), 2 * n);
    space_.copy(b_.data(), right.data(), n);
    space_.copy(b_.data(), right.data() + n, n);
    Vector sum = space_.make(n);
    const auto add = [&](const Complex* both, Complex* to) {
      space_.copy(both, to, n);
      space_.axpy(1, both + n, to, n);
    };
    LowRankSparse<Space> functional(space_, trains_, imageUnknowns_, options_.lowRankWeight,
                                    frames_.front().nufft.threads);
    proximalIterations(
        space_,
        [&](const Complex* in, Complex* out) {
          add(in, sum.data());
          normal(sum.data(), out, progress);
          space_.copy(out, out + n, n);
        },
        functional, right.data(), parts.data(), 2 * n, scale_, halfEnergy_, options_,
        [&](double residual, std::optional<double> objective) {
          add(parts.data(), x_.data());
          const IterationAction action = news_.tell(residual, progress, objective);
          if (action == IterationAction::restart) {  // perhaps from another image, which S then makes
            space_.copy(x_.data(), parts.data() + n, n);
            space_.axpy(-1, parts.data(), parts.data() + n, n);
          }
          return action;
        },
        solution_);
  }

  // Each to its place; those without one follow each other in the solution. Coefficients have none.
  void keepImages() {
    for (std::int64_t i = 0; i < basis_.images(); ++i) {
      SenseSolution one;
      const SenseProblem& frame = basis_.acts() ? frames_.front() : frames_[std::size_t(i)];
      const std::int64_t place = basis_.acts() ? imageUnknowns_ * i : places_[std::size_t(i)];
      SolutionImage<Space>(space_, frame, product(frame.matrix)).keep(news_.chosen() + place, one);
      solution_.image.insert(solution_.image.end(), one.image.begin(), one.image.end());
      solution_.doubleImage.insert(solution_.doubleImage.end(), one.doubleImage.begin(),
                                   one.doubleImage.end());
    }
  }

  Space& space_;
  TransformBackend& backend_;
  const std::vector<SenseProblem>& frames_;
  IterationOptions options_;
  std::size_t shown_;           // the frame that the watcher sees
  std::int64_t imageUnknowns_;  // values of an unknown image
  FrameBasis<Space> basis_;
  std::int64_t unknowns_;             // of all
  std::vector<std::int64_t> places_;  // of each frame's image among the unknowns
  FrameTrains trains_{1};             // of the unknown images
  SensePlan<Space> plan_;
  std::vector<ShotGroup> shots_;       // of each frame
  std::vector<std::int64_t> groupOf_;  // of the operator, of each frame
  std::int64_t firstKernel_ = 0;       // the group of the first pair of coefficients
  bool usesKernels_ = false;
  Vector b_, x_;
  double scale_ = 0, halfEnergy_ = 0;
  SenseSolution solution_;
  IterationNews<Space> news_;
};

// SenseRun over JointSolver: each run plans anew.
template <VectorSpace Space>
class SpaceJointRun final : public SenseRun {
 public:
  // arguments: the space's.
  template <class... Arguments>
  SpaceJointRun(TransformBackend& backend, const std::vector<SenseProblem>& frames, Arguments... arguments)
      : space_(arguments...), backend_(backend), frames_(frames) {}

  SenseSolution run(const IterationOptions& options, const IterationWatcher& watcher, bool /*newMaps*/,
                    const Progress& progress) override {
    return JointSolver<Space>(space_, backend_, frames_, options, watcher).run(progress);
  }

 private:
  Space space_;
  TransformBackend& backend_;
  const std::vector<SenseProblem>& frames_;
};

}  // namespace spokelab
