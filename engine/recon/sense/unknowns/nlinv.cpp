#include "engine/recon/sense/unknowns/nlinv.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/nufft/fft/lines_fft.h"
#include "engine/recon/sense/group_samples.h"
#include "engine/recon/sense/iteration_news.h"
#include "engine/recon/sense/sense_plan.h"
#include "engine/recon/solve/conjugate_gradient.h"

namespace spokelab {
namespace {

constexpr double mapWidth = 220.0 / (128 * 128), firstPenalty = 1, penaltyRatio = 0.5, scaledLength = 100;
constexpr int mapPower = 16, innerIterations = 100;
constexpr double innerTolerance = 0.1;
// Largest growth of the misfit in a step: a step with more is not towards the samples.
constexpr double maxGrowth = 4;
constexpr std::int64_t pixelsPerTask = 1 << 13;

template <class Real>
class Nlinv {
 public:
  using Space = HostSpace<Real>;
  using Complex = typename Space::Complex;
  using Vector = typename Space::Vector;

  Nlinv(TransformBackend& backend, const SenseProblem& problem, const IterationOptions& options,
        const IterationWatcher& watcher, std::vector<cdouble>* maps, NlinvFrame* last)
      : space_(problem.nufft.threads),
        backend_(backend),
        problem_(problem),
        options_(options),
        keptMaps_(maps),
        last_(options.framePrior > 0 ? last : nullptr),
        pixels_(product(problem.matrix)),
        coils_(std::int64_t(problem.coils.size())),
        unknowns_((1 + coils_) * pixels_),
        there_(problem.matrix, -1, problem.nufft.threads),
        back_(problem.matrix, 1, problem.nufft.threads),
        news_(space_, backend, problem, options_, watcher, solution_) {}

  SenseSolution run(const Progress& progress) {
    constexpr double startShare = 0.1;
    return news_.solve([&] { prepare(progress.part(0, startShare)); }, [&] { rightSide(progress); },
                       [&] { newton(progress.part(startShare, 1)); }, [&] { keep(); });
  }

 private:
  void prepare(const Progress& progress) {
    validate(problem_, false);
    requireRepeatable(problem_.nufft, options_);
    makePlan(progress);
    solution_.transform = transform_->description();
    solution_.notes = plan_.notes;
    makeVectors();
    news_.watch(*transform_, shown_.data(), pixels_);
  }

  void keep() {
    SolutionImage<Space>(space_, problem_, pixels_).keep(news_.chosen(), solution_);
    keepMaps();
    if (last_) *last_ = {{x_.begin(), x_.end()}, scale_};
  }

  void makePlan(const Progress& progress) {
    shot_ = shotGroups(problem_).front();
    SenseProblem transformed = problem_;
    if (problem_.transform == TransformKind::automatic && fieldActs(problem_))
      transformed = withPath(backend_, problem_, shot_, plan_.notes, progress);
    transform_ = makeGroupTransform(space_, backend_, transformed, transformed.transform, shot_, plan_.notes,
                                    progress);
    weights_ = groupWeights(problem_, shot_);
    if (weights_.empty()) weights_.assign(shot_.samples.size(), 1);
    const double total = totalWeight(problem_, {shot_});
    for (double& w : weights_) w /= total;
    transform_->setWeights(weights_);
    batch_ = transform_->batch();
    padded_ = (coils_ + batch_ - 1) / batch_ * batch_;
  }

  void makeVectors() {
    const auto made = [&](std::int64_t n) {
      Vector v = space_.make(n);
      space_.zero(v.data(), n);
      return v;
    };
    x_ = made(unknowns_);
    step_ = made(unknowns_);
    slope_ = made(unknowns_);
    maps_ = made(coils_ * pixels_);
    coilImages_ = made(padded_ * pixels_);
    gridded_ = made(padded_ * pixels_);
    shown_ = made(pixels_);
    prior_ = made(unknowns_);
    if (follows()) {
      std::copy(last_->x.begin(), last_->x.end(), x_.begin());
      space_.scaledCopy(Real(options_.framePrior), x_.data(), prior_.data(), unknowns_);
    } else {
      std::fill_n(x_.data(), pixels_, Complex(1));
      std::fill_n(prior_.data(), pixels_, Complex(1));
    }
    // w over the square root of the pixels, which makes the Fourier transform unitary.
    smooth_.resize(std::size_t(pixels_));
    const Index3& n = problem_.matrix;
    for (std::int64_t i = 0; i < pixels_; ++i) {
      const std::int64_t at[] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
      double square = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        const auto k = double(at[d] <= n[d] / 2 ? at[d] : at[d] - n[d]);
        if (n[d] > 1) square += k * k;
      }
      smooth_[std::size_t(i)] = Real(std::pow(1 + mapWidth * square, -mapPower) / std::sqrt(double(pixels_)));
    }
  }

  bool follows() const { return last_ && std::int64_t(last_->x.size()) == unknowns_ && last_->scale > 0; }

  // gridded_ = A^H W y / D of each coil, scaled.
  void rightSide(const Progress& progress) {
    const auto count = std::int64_t(shot_.samples.size());
    Vector samples = space_.make(batch_ * count);
    Buffer<Complex> room;
    double energy = 0;
    for (std::int64_t c = 0; c < padded_; c += batch_) {
      progress.checkpoint();
      for (std::int64_t b = 0; b < batch_; ++b) {
        Complex* const to = samples.data() + b * count;
        if (c + b >= coils_) {
          space_.zero(to, count);
          continue;
        }
        const Complex* const from =
            groupSamples(problem_.coils[std::size_t(c + b)], shot_, problem_.nufft.threads, room);
        for (std::int64_t j = 0; j < count; ++j) {
          energy += weights_[std::size_t(j)] * double(std::norm(from[j]));
          to[j] = Real(weights_[std::size_t(j)]) * from[j];
        }
      }
      transform_->adjoint(samples.data(), gridded_.data() + c * pixels_, batch_, space_.execution(),
                          progress);
    }
    const double length = std::sqrt(space_.dot(gridded_.data(), gridded_.data(), padded_ * pixels_));
    if (!std::isfinite(length) || !std::isfinite(energy))
      throw Error("Cannot reconstruct iteratively", "a sample is not finite, or too large for the precision",
                  "Remove such samples, scale them down, or use double precision");
    scale_ = follows() ? last_->scale : length > 0 ? scaledLength / length : 1;
    space_.scaledCopy(Real(scale_), gridded_.data(), gridded_.data(), padded_ * pixels_);
    energy_ = energy * scale_ * scale_;
  }

  // maps = F^{-1} w q, and w F maps.
  void toMaps(const Complex* q, Complex* maps) {
    for (std::int64_t c = 0; c < coils_; ++c) {
      Complex* const map = maps + c * pixels_;
      for (std::int64_t i = 0; i < pixels_; ++i) map[i] = smooth_[std::size_t(i)] * q[c * pixels_ + i];
      back_.execute(map);
    }
  }
  void fromMaps(Complex* maps, Complex* q) {
    for (std::int64_t c = 0; c < coils_; ++c) {
      Complex* const map = maps + c * pixels_;
      there_.execute(map);
      for (std::int64_t i = 0; i < pixels_; ++i) q[c * pixels_ + i] = smooth_[std::size_t(i)] * map[i];
    }
  }

  void convolve(const Progress& progress) {
    space_.timed(SpaceWork::transforms, [&] {
      for (std::int64_t c = 0; c < padded_; c += batch_)
        transform_->normal(coilImages_.data() + c * pixels_, coilImages_.data() + c * pixels_, batch_,
                           space_.execution(), progress);
    });
  }

  // coilImages_ = rho c_j, or its derivative: rho dc_j + drho c_j.
  void product1(const Complex* rho) {
    forCoils([&](std::int64_t c, std::int64_t i) {
      coilImages_[std::size_t(c * pixels_ + i)] = product(rho[i], maps_[std::size_t(c * pixels_ + i)]);
    });
  }

  template <class Each>
  void forCoils(const Each& each) {
    parallelFor(pixels_, problem_.nufft.threads, pixelsPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = 0; c < coils_; ++c)
        for (std::int64_t i = begin; i < end; ++i) each(c, i);
    });
  }

  // out [rho, q] = DE^H of the coil images, which are lost.
  void adjointDerivative(Complex* out) {
    space_.combine(coilImages_.data(), maps_.data(), nullptr, out, coils_, pixels_, false);
    forCoils([&](std::int64_t c, std::int64_t i) {
      Complex& v = coilImages_[std::size_t(c * pixels_ + i)];
      v = product(std::conj(x_[std::size_t(i)]), v);
    });
    fromMaps(coilImages_.data(), out + pixels_);
  }

  // out = (DE^H W DE + a) dx
  void applyStep(const Complex* dx, Complex* out, double penalty, const Progress& progress) {
    space_.zero(coilImages_.data() + coils_ * pixels_, (padded_ - coils_) * pixels_);
    toMaps(dx + pixels_, coilImages_.data());
    forCoils([&](std::int64_t c, std::int64_t i) {
      Complex& v = coilImages_[std::size_t(c * pixels_ + i)];
      v = product(x_[std::size_t(i)], v) + product(dx[i], maps_[std::size_t(c * pixels_ + i)]);
    });
    convolve(progress);
    adjointDerivative(out);
    space_.axpy(Real(penalty), dx, out, unknowns_);
  }

  // slope_ = DE^H (b - T z) + a (x_0 - x); returns |W^{1/2} (y - E(x))|^2 / D.
  double residual(double penalty, const Progress& progress) {
    toMaps(x_.data() + pixels_, maps_.data());
    space_.zero(coilImages_.data() + coils_ * pixels_, (padded_ - coils_) * pixels_);
    product1(x_.data());
    Vector z = space_.make(padded_ * pixels_);
    space_.copy(coilImages_.data(), z.data(), padded_ * pixels_);
    convolve(progress);
    const std::int64_t n = padded_ * pixels_;
    const double misfit =
        energy_ - 2 * space_.dot(z.data(), gridded_.data(), n) + space_.dot(z.data(), coilImages_.data(), n);
    space_.xpay(gridded_.data(), Real(-1), coilImages_.data(), n);
    adjointDerivative(slope_.data());
    space_.axpy(Real(-penalty), x_.data(), slope_.data(), unknowns_);
    space_.axpy(Real(penalty), prior_.data(), slope_.data(), unknowns_);
    return std::max(0.0, misfit);
  }

  void newton(const Progress& progress) {
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
      if (misfit > maxGrowth * before) {  // the linear problem says too little about the next step
        space_.axpy(-1, step_.data(), x_.data(), unknowns_);
        residual(penalty, progress);
        solution_.ending = "a further step fits the samples no better";
        return;
      }
      show();
      const double relative = energy_ > 0 ? std::sqrt(misfit / energy_) : 0;
      if (news_.tell(relative, progress, misfit / 2) == IterationAction::stop) return;
      if (relative <= options_.tolerance) {
        solution_.converged = true;
        solution_.ending = "the tolerance was met";
        return;
      }
    }
  }

  double lengthOfMaps(std::int64_t i) const {
    double square = 0;
    for (std::int64_t c = 0; c < coils_; ++c)
      square += double(std::norm(maps_[std::size_t(c * pixels_ + i)]));
    return std::sqrt(square);
  }

  void show() {
    parallelFor(pixels_, problem_.nufft.threads, pixelsPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        shown_[std::size_t(i)] = Real(lengthOfMaps(i) / scale_) * x_[std::size_t(i)];
    });
  }

  void keepMaps() {
    if (!keptMaps_) return;
    keptMaps_->resize(std::size_t(coils_ * pixels_));
    for (std::int64_t i = 0; i < pixels_; ++i) {
      const double length = lengthOfMaps(i);
      for (std::int64_t c = 0; c < coils_; ++c)
        (*keptMaps_)[std::size_t(c * pixels_ + i)] =
            length > 0 ? cdouble(maps_[std::size_t(c * pixels_ + i)]) / length : 0;
    }
  }

  Space space_;
  TransformBackend& backend_;
  const SenseProblem& problem_;
  IterationOptions options_;
  std::vector<cdouble>* keptMaps_;
  NlinvFrame* last_;  // null: each frame is by itself
  // padded_: whole batches of coils.
  std::int64_t pixels_, coils_, unknowns_, batch_ = 1, padded_ = 1;
  BoxFft<Real> there_, back_;
  ShotGroup shot_;
  SensePlan<Space> plan_;  // its notes
  std::unique_ptr<SampleTransform<Real>> transform_;
  Buffer<double> weights_;
  Buffer<Real> smooth_;
  Vector x_, prior_, step_, slope_;  // [rho, q of each coil]; prior_: x_0
  Vector maps_, coilImages_, gridded_, shown_;
  double scale_ = 1, energy_ = 0;  // of the scaled samples: sum W |y|^2 / D
  SenseSolution solution_;
  IterationNews<Space> news_;
};

class NlinvRun final : public SenseRun {
 public:
  NlinvRun(TransformBackend& backend, const SenseProblem& problem, std::vector<cdouble>* maps,
           NlinvFrame* last)
      : backend_(backend), problem_(problem), maps_(maps), last_(last) {}

  SenseSolution run(const IterationOptions& options, const IterationWatcher& watcher, bool /*newMaps*/,
                    const Progress& progress) override {
    if (problem_.precision == Precision::double64)
      return Nlinv<double>(backend_, problem_, options, watcher, maps_, last_).run(progress);
    return Nlinv<float>(backend_, problem_, options, watcher, maps_, last_).run(progress);
  }

 private:
  TransformBackend& backend_;
  const SenseProblem& problem_;
  std::vector<cdouble>* maps_;
  NlinvFrame* last_;
};

}  // namespace

std::unique_ptr<SenseRun> nlinvRun(TransformBackend& backend, const SenseProblem& problem,
                                   std::vector<cdouble>* maps, NlinvFrame* last) {
  return std::make_unique<NlinvRun>(backend, problem, maps, last);
}

}  // namespace spokelab
