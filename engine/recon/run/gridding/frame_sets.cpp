#include "engine/recon/run/gridding/frame_sets.h"

#include <algorithm>
#include <span>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/coils/coil_gridder.h"
#include "engine/recon/coils/combine_coils.h"
#include "engine/recon/run/gridding/weighted_samples.h"

namespace spokelab {
namespace {

std::int64_t mostSamples(const Scan& scan, std::span<const int> frames) {
  std::int64_t samples = 0;
  for (const int frame : frames) samples = std::max(samples, scan.trajectory(frame).samples());
  return samples;
}

// Points and weights of the frames of a block; sets beyond its frames are empty.
struct Block {
  std::vector<double> points, weights;
  std::vector<std::int64_t> offsets{0};

  void add(const FrameSetup& frame) {
    points.insert(points.end(), frame.points.begin(), frame.points.end());
    weights.insert(weights.end(), frame.weights.begin(), frame.weights.end());
    offsets.push_back(std::int64_t(weights.size()));
  }
  void fill(std::int64_t sets) { offsets.resize(std::size_t(sets) + 1, offsets.back()); }
  std::span<const double> weightsOf(std::int64_t set) const {
    return std::span(weights).subspan(std::size_t(offsets[std::size_t(set)]),
                                      std::size_t(offsets[std::size_t(set) + 1] - offsets[std::size_t(set)]));
  }
};

// Grids blocks of frames by one plan.
template <class Real>
class FrameSets final : public Gridder {
 public:
  using Complex = std::complex<Real>;

  FrameSets(RunContext& context, std::unique_ptr<Nufft<Real>> plan)
      : context_(context),
        plan_(std::move(plan)),
        gridder_(plan_->coilGridder()),
        coils_(context.scan.coils) {
    const ReconOptions& options = context.job.options;
    if (gridder_ &&
        !gridder_->setCombination(options.combination, walshBlock(options, context.job.dims), coils_))
      gridder_ = nullptr;
    context.sender = nullptr;  // samples come from the host's memory
  }

  std::size_t framesAtOnce() const override { return std::size_t(sets()); }
  PlanInfo info() const override { return plan_->info(); }

  void setPoints(std::vector<FrameSetup> frames) override {
    block_ = {};
    for (const FrameSetup& frame : frames) block_.add(frame);
    block_.fill(sets());
    plan_->setPoints({block_.points, block_.offsets});
    if (gridder_) gridder_->setGriddingWeights(block_.weights);
  }

  void grid(const Unknown& unknown, const Progress& progress) override {
    progress.report(0, "Reconstructing frames");
    std::vector<Complex*> out;
    for (std::size_t f = 0; f < unknown.frames.size(); ++f)
      out.push_back(context_.pixelsOf<Real>(unknown.frame + f, unknown.slicePlace));
    if (gridder_)
      gridOnDevice(unknown.frames, unknown.slice, out, progress);
    else
      gridOnHost(unknown.frames, unknown.slice, out, progress);
  }

 private:
  void gridOnHost(std::span<const int> frames, int slice, std::span<Complex* const> out,
                  const Progress& progress) {
    gridCoils(frames, slice, progress);
    const JobTimer timer(JobStage::combine);
    combine(frames, out, progress);
  }

  void gridCoils(std::span<const int> frames, int slice, const Progress& progress) {
    const JobTimer timer(JobStage::transforms);
    samples_.resize(std::size_t(coils_ * plan_->points()));
    images_.resize(std::size_t(sets() * coils_ * pixels()));
    weightFrames(frames, slice);
    progress.checkpoint();
    plan_->adjoint(samples_.data(), images_.data());
    progress.checkpoint();
  }

  void weightFrames(std::span<const int> frames, int slice) {
    const Span call("weights", SpanKind::call);
    const StageTimer timer(Stage::multiply);
    eachFrame(frames, [&](std::int64_t f) {
      const std::span<const double> weights = block_.weightsOf(f);
      for (std::int64_t c = 0; c < coils_; ++c)
        weightSamples(
            context_.scan.values<Real>(frames[std::size_t(f)], slice, int(c)), weights, 1,
            samples_.data() + coils_ * block_.offsets[std::size_t(f)] + c * std::int64_t(weights.size()));
    });
  }

  std::int64_t sets() const { return plan_->problem().sets; }
  std::int64_t pixels() const { return plan_->problem().pixels(); }

  template <class Work>
  void eachFrame(std::span<const int> frames, const Work& work) const {
    parallelTasks(std::int64_t(frames.size()), context_.job.options.nufft.threads, work);
  }

  void gridOnDevice(std::span<const int> frames, int slice, std::span<Complex* const> out,
                    const Progress& progress) {
    const JobTimer timer(JobStage::transforms);
    std::vector<Buffer<Complex>> converted;  // of coils that are stored in the other precision
    std::vector<const Complex*> values(std::size_t(sets() * coils_), nullptr);
    for (std::size_t f = 0; f < frames.size(); ++f)
      for (std::int64_t c = 0; c < coils_; ++c) {
        const ComplexPointer coil = context_.scan.values<Real>(frames[f], slice, int(c));
        const auto count = std::ptrdiff_t(block_.weightsOf(std::int64_t(f)).size());
        if (!std::holds_alternative<const Complex*>(coil))
          std::visit([&](const auto* in) { converted.emplace_back(in, in + count); }, coil);
        values[f * std::size_t(coils_) + std::size_t(c)] = std::holds_alternative<const Complex*>(coil)
                                                               ? std::get<const Complex*>(coil)
                                                               : converted.back().data();
      }
    std::vector<Complex*> to(out.begin(), out.end());
    if (to.size() < std::size_t(sets())) unused_.resize(std::size_t(pixels()));
    to.resize(std::size_t(sets()), unused_.data());
    gridder_->gridSets(values, to, progress);
  }

  void combine(std::span<const int> frames, std::span<Complex* const> out, const Progress& progress) const {
    ReconOptions options = context_.job.options;
    options.nufft.threads = 1;
    const Index3& matrix = plan_->problem().size;
    eachFrame(frames, [&](std::int64_t f) {
      CoilCombiner<Real> combiner(options, int(coils_), matrix);
      for (std::int64_t c = 0; c < coils_; ++c)
        combiner.add(int(c), images_.data() + (f * coils_ + c) * pixels(), out[std::size_t(f)]);
      combiner.finish(out[std::size_t(f)], Progress(progress.stopToken()));
    });
  }

  RunContext& context_;
  std::unique_ptr<Nufft<Real>> plan_;
  CoilGridder<Real>* gridder_;
  std::int64_t coils_;
  Block block_;
  Buffer<Complex> samples_, images_, unused_;
};

NufftOptions withMethodsOf(const NufftOptions& asked, NufftOptions options) {
  options.spread = asked.spread;
  options.interpolate = asked.interpolate;
  return options;
}

// Null where no plan takes several sets: frames one by one may work, or give the reason why not.
template <class Real>
std::unique_ptr<Nufft<Real>> planTogether(const RunContext& context, std::int64_t sets,
                                          const NufftOptions& options) {
  try {
    NufftProblem problem = context.job.problem;
    problem.sets = sets;
    const std::int64_t points = sets * mostSamples(context.scan, context.frames), limit = options.memoryLimit;
    if (limit > 0 && context.backend.estimateMemory(problem, options, points) > limit) return nullptr;
    return context.backend.template plan<Real>(problem, options);
  } catch (const Error&) {
    return nullptr;
  }
}

// As many frames as the job allows and the backend does best; 1: one by one.
std::int64_t framesTogether(const RunContext& context) {
  const auto frames = std::int64_t(context.frames.size());
  if (frames < 2) return 1;
  const std::int64_t maxFrames = std::min({context.backend.setsAtOnce(context.job.options.nufft),
                                           std::int64_t(context.job.framesAtOnce), frames});
  if (maxFrames < 2) return 1;
  const std::int64_t blocks = (frames + maxFrames - 1) / maxFrames;
  return (frames + blocks - 1) / blocks;  // blocks of one size
}

}  // namespace

template <class Real>
std::unique_ptr<Gridder> gridderOfFrames(RunContext& context, const NufftOptions& options,
                                         bool methodsFixed) {
  const std::int64_t atOnce = framesTogether(context);
  if (atOnce < 2) return nullptr;
  std::vector<NufftOptions> tried{options};
  if (!methodsFixed) tried.push_back(withMethodsOf(context.job.options.nufft, options));
  const JobTimer timer(JobStage::plan);
  std::unique_ptr<Nufft<Real>> setPlan;
  for (std::size_t i = 0; i < tried.size() && !setPlan; ++i)
    setPlan = planTogether<Real>(context, atOnce, tried[i]);
  if (!setPlan) return nullptr;
  auto gridder = std::make_unique<FrameSets<Real>>(context, std::move(setPlan));
  context.result.notes.push_back("points of " + countText(atOnce, "frame") +
                                 " set together, and their images made together");
  return gridder;
}

template std::unique_ptr<Gridder> gridderOfFrames<float>(RunContext&, const NufftOptions&, bool);
template std::unique_ptr<Gridder> gridderOfFrames<double>(RunContext&, const NufftOptions&, bool);

}  // namespace spokelab
