// The solver of nlinv.h on any space: included by the file of each machine. Between frames of the
// same number of points it keeps transform, vectors and the last frame's unknowns.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/recon/sense/group_samples.h"
#include "engine/recon/sense/iteration_news.h"
#include "engine/recon/sense/sense_plan.h"
#include "engine/recon/sense/unknowns/nlinv.h"
#include "engine/recon/solve/conjugate_gradient.h"

namespace spokelab {

// w(k) over the square root of the pixels, which makes the Fourier transform unitary, at the places
// of an unshifted transform.
std::vector<double> smoothWeights(const Index3& matrix);

// Between q and maps of coils [coil, pixel], in a space:
//   Smoother(space, matrix, coils, threads, weights)
//   toMaps(q, maps)    maps = F^{-1} w q
//   fromMaps(maps, q)  q = w F maps; the maps are lost
template <VectorSpace Space, class Smoother>
class NlinvSolver {
 public:
  using Complex = typename Space::Complex;
  using Real = typename Space::Real;
  using Vector = typename Space::Vector;

  NlinvSolver(TransformBackend& backend, const SenseProblem& problem)
      : space_(makeSpace(problem)), backend_(backend), problem_(problem) {}

  // newPoints: the problem has others than in the last run. last: of an earlier solver, or null.
  SenseSolution run(const IterationOptions& options, const IterationWatcher& watcher, bool newPoints,
                    std::vector<cdouble>* maps, const NlinvFrame* last, const Progress& progress) {
    constexpr double startShare = 0.1;
    solution_ = {};
    options_ = options;
    watched_ = bool(watcher);
    IterationNews<Space> news(space_, backend_, problem_, options_, watcher, solution_);
    news.ignoreSteering();
    return news.solve([&] { prepare(news, newPoints, last, progress.part(0, startShare)); },
                      [&] { rightSide(progress); }, [&] { newton(news, progress.part(startShare, 1)); },
                      [&] {
                        if (!watched_) show();
                        SolutionImage<Space>(space_, problem_, pixels_).keep(news.chosen(), solution_);
                        if (maps) keepMaps(*maps);
                      });
  }

  bool takesPoints() const { return transform_ && transform_->takesPoints() && problem_.phases.empty(); }

  void keepFrame(NlinvFrame& frame) {
    if (!ready_) return;
    const std::vector<Complex> host = onHost(x_, unknowns_);
    frame = {{host.begin(), host.end()}, scale_};
  }

 private:
  static constexpr double firstPenalty = 1, penaltyRatio = 0.5, scaledLength = 100, innerTolerance = 0.1;
  static constexpr int innerIterations = 100;
  static constexpr double minShare = 1.0 / 64;  // of a step, which is halved until it helps

  static Space makeSpace(const SenseProblem& problem) {
    if constexpr (std::is_constructible_v<Space, int>)
      return Space(problem.nufft.threads);
    else
      return Space();
  }

  void prepare(IterationNews<Space>& news, bool newPoints, const NlinvFrame* last, const Progress& progress) {
    validate(problem_, false);
    requireRepeatable(problem_.nufft, options_);
    if (!transform_) {
      makePlan(progress);
      makeVectors();
      if (options_.framePrior > 0 && last) take(*last);
    } else if (newPoints) {
      takePoints();
    }
    setPrior();
    solution_.transform = transform_->description();
    solution_.notes = plan_.notes;
    news.watch(*transform_, shown_.data(), pixels_);
  }

  void makePlan(const Progress& progress) {
    pixels_ = product(problem_.matrix);
    coils_ = std::int64_t(problem_.coils.size());
    unknowns_ = (1 + coils_) * pixels_;
    shot_ = shotGroups(problem_).front();
    SenseProblem transformed = problem_;
    if (problem_.transform == TransformKind::automatic && fieldActs(problem_))
      transformed = withPath(backend_, problem_, shot_, plan_.notes, progress);
    transform_ = makeGroupTransform(space_, backend_, transformed, transformed.transform, shot_, plan_.notes,
                                    progress);
    setWeights();
    batch_ = transform_->batch();
    padded_ = (coils_ + batch_ - 1) / batch_ * batch_;
  }

  void setWeights() {
    weights_ = groupWeights(problem_, shot_);
    if (weights_.empty()) weights_.assign(shot_.samples.size(), 1);
    const double total = totalWeight(problem_, {shot_});
    for (double& w : weights_) w /= total;
    transform_->setWeights(weights_);
  }

  void takePoints() {
    Buffer<double> room;
    shot_ = shotGroups(problem_).front();
    transform_->setPoints(pointsAt(problem_, groupCoordinates(problem_, shot_, room)));
    setWeights();
  }

  void makeVectors() {
    const auto zeros = [&](std::int64_t n) {
      Vector v = space_.make(n);
      space_.zero(v.data(), n);
      return v;
    };
    x_ = zeros(unknowns_);
    step_ = zeros(unknowns_);
    slope_ = zeros(unknowns_);
    prior_ = zeros(unknowns_);
    maps_ = zeros(coils_ * pixels_);
    coilImages_ = zeros(padded_ * pixels_);
    room_ = zeros(padded_ * pixels_);
    gridded_ = zeros(padded_ * pixels_);
    shown_ = zeros(pixels_);
    conjugate_ = zeros(pixels_);
    ones_ = space_.make(pixels_);
    const std::vector<Complex> ones(std::size_t(pixels_), Complex(1));
    space_.upload(ones.data(), ones_.data(), pixels_);
    smoother_.emplace(space_, problem_.matrix, coils_, problem_.nufft.threads,
                      smoothWeights(problem_.matrix));
  }

  void take(const NlinvFrame& last) {
    if (std::int64_t(last.x.size()) != unknowns_ || !(last.scale > 0)) return;
    const std::vector<Complex> host(last.x.begin(), last.x.end());
    space_.upload(host.data(), x_.data(), unknowns_);
    scale_ = last.scale;
    ready_ = true;
  }

  // x_0, and the x from which the iterations start: a share of the last frame's, or rho = 1, q = 0.
  void setPrior() {
    follows_ = ready_ && options_.framePrior > 0;
    if (follows_) return space_.scaledCopy(Real(options_.framePrior), x_.data(), prior_.data(), unknowns_);
    for (Vector* const v : {&x_, &prior_}) {
      space_.zero(v->data(), unknowns_);
      space_.copy(ones_.data(), v->data(), pixels_);
    }
  }

  // gridded_ = A^H W y / D of each coil; its scale makes the samples 100 long. The length of
  // gridded_ would follow the weights: without them it is mostly of the centre of k-space.
  void rightSide(const Progress& progress) {
    const auto count = std::int64_t(shot_.samples.size());
    Buffer<Complex> weighted(std::size_t(batch_ * count)), room;
    if (std::int64_t(samples_.size()) != batch_ * count) samples_ = space_.make(batch_ * count);
    double energy = 0;
    for (std::int64_t c = 0; c < padded_; c += batch_) {
      progress.checkpoint();
      for (std::int64_t b = 0; b < batch_; ++b) {
        Complex* const to = weighted.data() + b * count;
        if (c + b >= coils_) {
          std::fill_n(to, count, Complex(0));
          continue;
        }
        const Complex* const from =
            groupSamples(problem_.coils[std::size_t(c + b)], shot_, problem_.nufft.threads, room);
        for (std::int64_t j = 0; j < count; ++j) {
          energy += weights_[std::size_t(j)] * double(std::norm(from[j]));
          to[j] = Real(weights_[std::size_t(j)]) * from[j];
        }
      }
      space_.upload(weighted.data(), samples_.data(), batch_ * count);
      transform_->adjoint(samples_.data(), gridded_.data() + c * pixels_, batch_, space_.execution(),
                          progress);
    }
    const double length = std::sqrt(space_.dot(gridded_.data(), gridded_.data(), padded_ * pixels_));
    if (!std::isfinite(length) || !std::isfinite(energy))
      throw Error("Cannot reconstruct iteratively", "a sample is not finite, or too large for the precision",
                  "Remove such samples, scale them down, or use double precision");
    if (!follows_) scale_ = energy > 0 ? scaledLength / std::sqrt(energy) : 1;
    space_.scaledCopy(Real(scale_), gridded_.data(), gridded_.data(), padded_ * pixels_);
    energy_ = energy * scale_ * scale_;
  }

  void convolve(const Progress& progress) {
    space_.timed(SpaceWork::transforms, [&] {
      for (std::int64_t c = 0; c < padded_; c += batch_)
        transform_->normal(coilImages_.data() + c * pixels_, coilImages_.data() + c * pixels_, batch_,
                           space_.execution(), progress);
    });
  }

  // The images of coils that fill the last batch.
  void clearPadding() { space_.zero(coilImages_.data() + coils_ * pixels_, (padded_ - coils_) * pixels_); }

  // out [rho, q] = DE^H of the coil images, which are lost.
  void adjointDerivative(Complex* out) {
    space_.combine(coilImages_.data(), maps_.data(), nullptr, out, coils_, pixels_, false);
    space_.scale(conjugate_.data(), coilImages_.data(), coils_, pixels_);
    smoother_->fromMaps(coilImages_.data(), out + pixels_);
  }

  // out = (DE^H W DE + a) dx, with DE dx = rho dc_j + drho c_j.
  void applyStep(const Complex* dx, Complex* out, double penalty, const Progress& progress) {
    clearPadding();
    smoother_->toMaps(dx + pixels_, coilImages_.data());
    space_.scale(x_.data(), coilImages_.data(), coils_, pixels_);
    space_.expand(dx, maps_.data(), nullptr, room_.data(), coils_, pixels_);
    space_.axpy(1, room_.data(), coilImages_.data(), coils_ * pixels_);
    convolve(progress);
    adjointDerivative(out);
    space_.axpy(Real(penalty), dx, out, unknowns_);
  }

  // slope_ = DE^H (b - T z) + a (x_0 - x): b is gridded_, z the coil images rho c_j, T the
  // transform's normal operator. Returns |W^{1/2} (y - E(x))|^2 / D.
  double residual(double penalty, const Progress& progress) {
    smoother_->toMaps(x_.data() + pixels_, maps_.data());
    space_.combine(ones_.data(), x_.data(), nullptr, conjugate_.data(), 1, pixels_, false);
    clearPadding();
    space_.expand(x_.data(), maps_.data(), nullptr, coilImages_.data(), coils_, pixels_);
    const std::int64_t n = padded_ * pixels_;
    space_.copy(coilImages_.data(), room_.data(), n);
    convolve(progress);
    const double misfit = energy_ - 2 * space_.dot(room_.data(), gridded_.data(), n) +
                          space_.dot(room_.data(), coilImages_.data(), n);
    space_.xpay(gridded_.data(), Real(-1), coilImages_.data(), n);
    adjointDerivative(slope_.data());
    space_.axpy(Real(-penalty), x_.data(), slope_.data(), unknowns_);
    space_.axpy(Real(penalty), prior_.data(), slope_.data(), unknowns_);
    ready_ = true;
    return std::max(0.0, misfit);
  }

  void newton(IterationNews<Space>& news, const Progress& progress) {
    double penalty = firstPenalty;
    double misfit = residual(penalty, progress);
    for (int n = 0; n < options_.iterations; ++n) {
      space_.zero(step_.data(), unknowns_);
      ConjugateGradientOptions inner{innerIterations, innerTolerance, 0};
      conjugateGradient(
          space_, [&](const Complex* in, Complex* out) { applyStep(in, out, penalty, progress); },
          slope_.data(), step_.data(), unknowns_, inner,
          [](int, double) { return IterationAction::proceed; });
      space_.axpy(1, step_.data(), x_.data(), unknowns_);
      penalty *= penaltyRatio;
      const double before = std::exchange(misfit, residual(penalty, progress));
      double share = 1;  // the linear problem says too little about a long step
      while (misfit > before && share > minShare) {
        share /= 2;
        space_.axpy(Real(-share), step_.data(), x_.data(), unknowns_);
        misfit = residual(penalty, progress);
      }
      if (misfit > before) {
        space_.axpy(Real(-share), step_.data(), x_.data(), unknowns_);
        residual(penalty, progress);
        solution_.ending = "a further step fits the samples no better";
        return;
      }
      if (watched_) show();
      const double relative = energy_ > 0 ? std::sqrt(misfit / energy_) : 0;
      if (news.tell(relative, progress, misfit / 2) == IterationAction::stop) return;
      if (relative <= options_.tolerance) {
        solution_.converged = true;
        solution_.ending = "the tolerance was met";
        return;
      }
    }
  }

  std::vector<Complex> onHost(const Vector& v, std::int64_t n) {
    std::vector<Complex> host(static_cast<std::size_t>(n));
    space_.download(v.data(), host.data(), n);
    return host;
  }

  // shown_ = rho sqrt(sum |c|^2), in the samples' units.
  void show() {
    space_.combine(maps_.data(), maps_.data(), nullptr, room_.data(), coils_, pixels_, false);
    const std::vector<Complex> squares = onHost(room_, pixels_);
    std::vector<Complex> image = onHost(x_, pixels_);
    for (std::size_t i = 0; i < image.size(); ++i)
      image[i] *= Real(std::sqrt(std::max<double>(0, squares[i].real())) / scale_);
    space_.upload(image.data(), shown_.data(), pixels_);
  }

  void keepMaps(std::vector<cdouble>& kept) {
    const std::vector<Complex> maps = onHost(maps_, coils_ * pixels_);
    kept.resize(maps.size());
    for (std::int64_t i = 0; i < pixels_; ++i) {
      double square = 0;
      for (std::int64_t c = 0; c < coils_; ++c)
        square += double(std::norm(maps[std::size_t(c * pixels_ + i)]));
      const double length = std::sqrt(square);
      for (std::int64_t c = 0; c < coils_; ++c)
        kept[std::size_t(c * pixels_ + i)] =
            length > 0 ? cdouble(maps[std::size_t(c * pixels_ + i)]) / length : 0;
    }
  }

  Space space_;
  TransformBackend& backend_;
  const SenseProblem& problem_;
  IterationOptions options_;
  bool watched_ = false, ready_ = false, follows_ = false;  // ready_: x_ and scale_ are of a frame
  // padded_: whole batches of coils.
  std::int64_t pixels_ = 0, coils_ = 0, unknowns_ = 0, batch_ = 1, padded_ = 1;
  std::optional<Smoother> smoother_;
  ShotGroup shot_;
  SensePlan<Space> plan_;  // its notes
  std::unique_ptr<SampleTransform<Real>> transform_;
  Buffer<double> weights_;
  Vector x_, prior_, step_, slope_;  // [rho, q of each coil]; prior_: x_0
  Vector maps_, coilImages_, room_, gridded_, samples_;
  Vector shown_, conjugate_, ones_;  // [pixel]; conjugate_: of rho
  double scale_ = 1, energy_ = 0;    // of the scaled samples: sum W |y|^2 / D
  SenseSolution solution_;
};

template <VectorSpace Space, class Smoother>
class SpaceNlinvRun final : public SenseRun {
 public:
  SpaceNlinvRun(TransformBackend& backend, const SenseProblem& problem, std::vector<cdouble>* maps,
                NlinvFrame* last)
      : solver_(backend, problem), maps_(maps), last_(last) {}
  ~SpaceNlinvRun() override {
    try {
      if (last_) solver_.keepFrame(*last_);
    } catch (...) {  // the next frame then starts anew
      *last_ = {};
    }
  }

  SenseSolution run(const IterationOptions& options, const IterationWatcher& watcher, bool /*newMaps*/,
                    const Progress& progress) override {
    return solver_.run(options, watcher, std::exchange(newPoints_, false), maps_, last_, progress);
  }
  bool takePoints() override { return newPoints_ = solver_.takesPoints(); }

 private:
  NlinvSolver<Space, Smoother> solver_;
  std::vector<cdouble>* maps_;
  NlinvFrame* last_;
  bool newPoints_ = false;
};

}  // namespace spokelab
