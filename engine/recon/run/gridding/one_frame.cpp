#include "engine/recon/run/gridding/one_frame.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/core/measure/coil_span.h"
#include "engine/nufft/exact/nudft.h"
#include "engine/recon/coils/coil_gridder.h"
#include "engine/recon/coils/combine_coils.h"
#include "engine/recon/run/gridding/weighted_samples.h"

namespace spokelab {
namespace {

Index3 imageSize(const JobPlan& job) {
  return {job.matrix[0], job.matrix[1], job.dims < 3 ? 1 : job.matrix[2]};
}

// Some coils after the others, and combined. Transform:
//   batch(): coils a call; setPoints(points); apply(coils, weights, progress): [batch][pixels];
//   info()
template <class Transform>
class CoilsInTurn final : public Gridder {
 public:
  using Real = typename Transform::Real;
  CoilsInTurn(RunContext& context, Transform transform)
      : context_(context),
        transform_(std::move(transform)),
        combiner_(context.job.options, context.scan.coils, imageSize(context.job)) {
    context.sender = nullptr;
  }

  void setPoints(std::vector<FrameSetup> frames) override {
    setup_ = std::move(frames.front());
    transform_.setPoints(setup_.points);
  }
  void grid(const Unknown& unknown, const Progress& progress) override {
    const Scan& scan = context_.scan;
    for (int c = 0; c < scan.coils;) {
      const int count = int(std::min<std::int64_t>(transform_.batch(), scan.coils - c));
      const Progress part = progress.part(double(c) / scan.coils, double(c + count) / scan.coils);
      part.report(0, scan.coils > 1 ? "Reconstructing coils" : "Reconstructing");
      std::vector<ComplexPointer> coils;
      for (int i = 0; i < count; ++i)
        coils.push_back(scan.values<Real>(unknown.frames.front(), unknown.slice, c + i));
      const auto* const images = imagesOf(coils, c, part);
      const JobTimer timer(JobStage::combine);
      for (int i = 0; i < count; ++i)
        combiner_.add(c + i, images + i * std::int64_t(context_.job.pixels), placeOf(unknown, c + i));
      c += count;
    }
    const JobTimer timer(JobStage::combine);
    combiner_.finish(placeOf(unknown, 0), progress);
  }
  PlanInfo info() const override { return transform_.info(); }

 private:
  const std::complex<Real>* imagesOf(const std::vector<ComplexPointer>& coils, int first,
                                     const Progress& progress) {
    const JobTimer timer(JobStage::transforms);
    const CoilSpan span(first, std::int64_t(coils.size()));
    return transform_.apply(coils, setup_.weights, progress);
  }
  // Coils that are kept apart are the image's frames.
  std::complex<Real>* placeOf(const Unknown& unknown, int coil) const {
    return context_.pixelsOf<Real>(context_.job.separatesCoils ? std::size_t(coil) : unknown.frame,
                                   unknown.slicePlace);
  }

  RunContext& context_;
  Transform transform_;
  FrameSetup setup_;
  CoilCombiner<Real> combiner_;
};

template <class RealType>
class PlannedTransform {
 public:
  using Real = RealType;
  using Complex = std::complex<Real>;
  PlannedTransform(std::unique_ptr<Nufft<Real>> plan, int threads)
      : plan_(std::move(plan)), threads_(threads) {}

  std::int64_t batch() const { return plan_->problem().batch; }
  PlanInfo info() const { return plan_->info(); }

  void setPoints(std::span<const double> points) { plan_->setPoints(points); }

  const Complex* apply(const std::vector<ComplexPointer>& coils, std::span<const double> weights,
                       const Progress& progress) {
    samples_.resize(std::size_t(batch()) * weights.size());
    images_.resize(std::size_t(batch() * plan_->problem().pixels()));
    weight(coils, weights);
    progress.checkpoint();
    plan_->adjoint(samples_.data(), images_.data());
    progress.checkpoint();
    return images_.data();
  }

 private:
  void weight(const std::vector<ComplexPointer>& coils, std::span<const double> weights) {
    const Span call("weights", SpanKind::call);
    const StageTimer timer(Stage::multiply);
    const auto samples = std::int64_t(weights.size());
    for (std::int64_t c = 0; c < batch(); ++c) {
      Complex* const out = samples_.data() + c * samples;
      if (c >= std::int64_t(coils.size()))
        std::fill(out, out + samples, Complex(0));
      else
        weightSamples(coils[std::size_t(c)], weights, threads_, out);
    }
  }

  std::unique_ptr<Nufft<Real>> plan_;
  int threads_;
  Buffer<Complex> samples_, images_;
};

class ExactTransform {
 public:
  using Real = double;
  explicit ExactTransform(const JobPlan& job) : problem_(job.problem), options_(job.options.nufft) {
    problem_.batch = 1;
  }

  std::int64_t batch() const { return 1; }
  PlanInfo info() const {
    PlanInfo info;
    info.backend = "cpu";
    info.options = options_;
    info.description = "exact sums in double precision";
    return info;
  }
  void setPoints(std::span<const double> points) { points_.assign(points.begin(), points.end()); }

  const cdouble* apply(const std::vector<ComplexPointer>& coils, std::span<const double> weights,
                       const Progress& progress) {
    std::vector<cdouble> samples(weights.size());
    weightSamples(coils.front(), weights, options_.threads, samples.data());
    const Span call("exact sums", SpanKind::call);
    image_ = nudftAdjoint(problem_, points_, samples, {}, options_.threads, progress);
    return image_.data();
  }

 private:
  NufftProblem problem_;
  NufftOptions options_;
  std::vector<double> points_;
  std::vector<cdouble> image_;
};

// Grids all coils of a slice in one call and combines them in the plan's memory.
template <class Real>
class CoilsTogether final : public Gridder {
 public:
  CoilsTogether(RunContext& context, std::unique_ptr<Nufft<Real>> plan)
      : context_(context), plan_(std::move(plan)), gridder_(*plan_->coilGridder()) {}

  void setPoints(std::vector<FrameSetup> frames) override {
    plan_->setPoints(frames.front().points);
    weights_ = std::move(frames.front().weights);
    weighted_ = false;
  }
  void grid(const Unknown& unknown, const Progress& progress) override {
    const JobTimer timer(JobStage::transforms);
    if (!weighted_) gridder_.setGriddingWeights(weights_);
    weighted_ = true;
    std::vector<const std::complex<Real>*> values;
    std::vector<Buffer<std::complex<Real>>> converted;  // of coils that are stored in the other precision
    for (int c = 0; c < context_.scan.coils; ++c) {
      const ComplexPointer coil = context_.scan.values<Real>(unknown.frames.front(), unknown.slice, c);
      const auto* const* same = std::get_if<const std::complex<Real>*>(&coil);
      if (!same) std::visit([&](const auto* in) { converted.emplace_back(in, in + weights_.size()); }, coil);
      values.push_back(same ? *same : converted.back().data());
    }
    const auto& mixed = context_.preparation.mixer;
    gridder_.gridCoils(values, mixed ? mixed.get() : context_.mixer.get(),
                       context_.pixelsOf<Real>(unknown.frame, unknown.slicePlace), progress);
  }
  PlanInfo info() const override { return plan_->info(); }

 private:
  RunContext& context_;
  std::unique_ptr<Nufft<Real>> plan_;
  CoilGridder<Real>& gridder_;
  Buffer<double> weights_;
  bool weighted_ = false;
};

}  // namespace

template <class Real>
std::unique_ptr<Gridder> gridderByPlan(RunContext& context, const NufftOptions& options) {
  const JobPlan& job = context.job;
  const JobTimer timer(JobStage::plan);
  auto plan = planInSlabs<Real>(context.backend, job.whole, withoutNormal(options, job.slabs), job.slabs,
                                context.share.slabs);
  CoilGridder<Real>* const gridder = plan->coilGridder();
  const Combination combination = job.options.combination;
  if (gridder && combination != Combination::none &&
      gridder->setCombination(combination, walshBlock(job.options, job.dims), context.scan.coils))
    return std::make_unique<CoilsTogether<Real>>(context, std::move(plan));
  return std::make_unique<CoilsInTurn<PlannedTransform<Real>>>(
      context, PlannedTransform<Real>(std::move(plan), job.options.nufft.threads));
}
template std::unique_ptr<Gridder> gridderByPlan<float>(RunContext&, const NufftOptions&);
template std::unique_ptr<Gridder> gridderByPlan<double>(RunContext&, const NufftOptions&);

std::unique_ptr<Gridder> gridderByExactSums(RunContext& context) {
  return std::make_unique<CoilsInTurn<ExactTransform>>(context, ExactTransform(context.job));
}

}  // namespace spokelab
