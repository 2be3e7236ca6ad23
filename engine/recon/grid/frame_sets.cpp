#include "engine/recon/grid/frame_sets.h"

#include <algorithm>
#include <span>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/plan/point_sets.h"
#include "engine/recon/coils/coil_gridder.h"
#include "engine/recon/coils/combine_coils.h"
#include "engine/recon/grid/weighted_samples.h"
#include "engine/recon/prepare/job_slabs.h"

namespace spokelab {
namespace {

// The number of samples of the frame with the most samples.
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
class FrameSets {
 public:
  using Complex = std::complex<Real>;

  FrameSets(GriddingJob& job, std::unique_ptr<Nufft<Real>> plan, StageTimings& timings)
      : job_(job),
        plan_(std::move(plan)),
        timings_(timings),
        sets_(dynamic_cast<PointSetPlan&>(*plan_)),
        gridder_(dynamic_cast<CoilGridder<Real>*>(plan_.get())),
        coils_(job.scan.coils) {
    const ReconOptions& options = job.options;
    if (gridder_ &&
        !gridder_->setCombination(options.combination, walshBlock(options, job.scan.dims()), coils_))
      gridder_ = nullptr;
  }

  std::int64_t atOnce() const { return sets_.sets(); }
  const PlanInfo& info() const { return plan_->info(); }

  void setPoints(const Block& block) {
    const JobTimer timer(&job_.account, JobStage::points);
    StageTimings t;
    sets_.setPointSets({block.points, block.offsets}, &t);
    timings_ += t;
    if (gridder_) gridder_->setGriddingWeights(block.weights);
  }

  // A slice of the frames from `first` on, in the order of the job; out: their images.
  void grid(const Block& block, std::span<const int> frames, int slice, std::span<Complex* const> out,
            const Progress& progress) {
    if (gridder_) return gridOnDevice(block, frames, slice, out, progress);
    const double weighing = now();
    samples_.resize(std::size_t(coils_ * plan_->points()));
    images_.resize(std::size_t(atOnce() * coils_ * pixels()));
    eachFrame(frames, [&](std::int64_t f) {
      const std::span<const double> weights = block.weightsOf(f);
      for (std::int64_t c = 0; c < coils_; ++c)
        weightSamples(
            job_.scan.values<Real>(frames[std::size_t(f)], slice, int(c)), weights, 1,
            samples_.data() + coils_ * block.offsets[std::size_t(f)] + c * std::int64_t(weights.size()));
    });
    StageTimings t;
    t[Stage::multiply] = t.total = now() - weighing;
    timings_ += t;
    t = {};
    progress.checkpoint();
    Execution execution;
    execution.timings = &t;
    plan_->adjoint(samples_.data(), images_.data(), execution);
    timings_ += t;
    bookStage(&job_.account, JobStage::transforms, weighing);
    progress.checkpoint();
    const JobTimer timer(&job_.account, JobStage::combine);
    combine(frames, out, progress);
  }

 private:
  std::int64_t pixels() const { return plan_->problem().pixels(); }

  template <class Work>
  void eachFrame(std::span<const int> frames, const Work& work) const {
    parallelTasks(std::int64_t(frames.size()), job_.options.nufft.threads, work);
  }

  void gridOnDevice(const Block& block, std::span<const int> frames, int slice, std::span<Complex* const> out,
                    const Progress& progress) {
    const JobTimer timer(&job_.account, JobStage::transforms);
    std::vector<Buffer<Complex>> converted;  // of coils that are stored in the other precision
    std::vector<const Complex*> values(std::size_t(atOnce() * coils_), nullptr);
    for (std::size_t f = 0; f < frames.size(); ++f)
      for (std::int64_t c = 0; c < coils_; ++c) {
        const ComplexPointer coil = job_.scan.values<Real>(frames[f], slice, int(c));
        const auto count = std::ptrdiff_t(block.weightsOf(std::int64_t(f)).size());
        if (!std::holds_alternative<const Complex*>(coil))
          std::visit([&](const auto* in) { converted.emplace_back(in, in + count); }, coil);
        values[f * std::size_t(coils_) + std::size_t(c)] = std::holds_alternative<const Complex*>(coil)
                                                               ? std::get<const Complex*>(coil)
                                                               : converted.back().data();
      }
    std::vector<Complex*> to(out.begin(), out.end());
    if (to.size() < std::size_t(atOnce())) unused_.resize(std::size_t(pixels()));
    to.resize(std::size_t(atOnce()), unused_.data());
    StageTimings t;
    gridder_->gridSets(values, to, t, progress);
    timings_ += t;
  }

  void combine(std::span<const int> frames, std::span<Complex* const> out, const Progress& progress) const {
    ReconOptions options = job_.options;
    options.nufft.threads = 1;
    const Index3& matrix = plan_->problem().size;
    eachFrame(frames, [&](std::int64_t f) {
      CoilCombiner<Real> combiner(options, int(coils_), matrix);
      for (std::int64_t c = 0; c < coils_; ++c)
        combiner.add(int(c), images_.data() + (f * coils_ + c) * pixels(), out[std::size_t(f)]);
      combiner.finish(out[std::size_t(f)], Progress(progress.stopToken()));
    });
  }

  GriddingJob& job_;
  std::unique_ptr<Nufft<Real>> plan_;
  StageTimings& timings_;
  PointSetPlan& sets_;
  CoilGridder<Real>* gridder_;
  std::int64_t coils_;
  Buffer<Complex> samples_, images_, unused_;
};

template <class Real>
void runBlocks(GriddingJob& job, FrameSets<Real>& transform, const FrameSetup& first,
               const Progress& progress) {
  const bool planar = job.scan.dims() < 3;
  const Image& image = *job.image.image();
  const std::int64_t pixels = planar ? image.size[0] * image.size[1] : image.volume();
  const auto count = std::int64_t(job.frames.size());
  const double steps = double(count) * double(job.slices.size());
  for (std::int64_t begin = 0; begin < count; begin += transform.atOnce()) {
    const double began = now();
    const std::int64_t end = std::min(count, begin + transform.atOnce());
    const auto frames = std::span(job.frames).subspan(std::size_t(begin), std::size_t(end - begin));
    Block block;
    if (begin == 0) block.add(first);
    const double share = double(begin) / double(count);
    for (const FrameSetup& frame :
         setupFrames(job, frames.subspan(begin == 0 ? 1 : 0), progress.part(share, share)))
      block.add(frame);
    block.fill(transform.atOnce());
    transform.setPoints(block);
    for (std::size_t s = 0; s < job.slices.size(); ++s) {
      const double done = double(begin) * double(job.slices.size()) + double(s) * double(end - begin);
      const Progress part = progress.part(done / steps, (done + double(end - begin)) / steps);
      part.report(0, "Reconstructing frames");
      std::vector<std::complex<Real>*> out;
      for (std::int64_t f = begin; f < end; ++f)
        out.push_back(job.image.pixels<Real>() + f * image.volume() +
                      (planar ? std::int64_t(s) * pixels : 0));
      transform.grid(block, frames, job.slices[s], out, part);
    }
    job.complete = int(end);
    // A frame of a block takes its share of it; the first frame of all waits for the plan.
    job.frameSeconds.insert(job.frameSeconds.end(), std::size_t(end - begin - (begin == 0 ? 1 : 0)),
                            (now() - began) / double(end - begin));
  }
}

NufftOptions withMethodsOf(const NufftOptions& asked, NufftOptions options) {
  options.spread = asked.spread;
  options.interpolate = asked.interpolate;
  return options;
}

// Null where no plan takes several sets: frames one by one may work, or give the reason why not.
template <class Real>
std::unique_ptr<Nufft<Real>> planTogether(const GriddingJob& job, const NufftProblem& problem,
                                          std::int64_t sets, const NufftOptions& options) {
  try {
    auto& backend = dynamic_cast<PointSetBackend&>(job.backend);
    const std::int64_t points = sets * mostSamples(job.scan, job.frames), limit = options.memoryLimit;
    if (limit > 0 && backend.estimatePointSets(problem, sets, options, points) > limit) return nullptr;
    return backend.pointSets<Real>(problem, sets, options);
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace

std::int64_t mostFramesTogether(const Scan& scan, const ReconOptions& options, std::span<const int> frames,
                                const NufftProblem& problem) {
  constexpr double maxBytes = 1 << 27;  // of images and samples: more at a time gains nothing
  if (frames.size() < 2 || scan.trajectories.size() < 2 || options.combination == Combination::none ||
      options.nufft.reproducible || options.exact || problem.batch < scan.coils ||
      jobSlabs(scan, options) > 1)
    return 1;
  const double number = problem.precision == Precision::single ? sizeof(cfloat) : sizeof(cdouble);
  const double bytes = number * double(problem.batch) * double(problem.pixels() + mostSamples(scan, frames));
  const double limit = double(options.nufft.memoryLimit) / 4;  // the plan takes the rest
  const double room = limit > 0 ? std::min(limit, maxBytes) : maxBytes;
  return std::clamp(std::int64_t(room / bytes), std::int64_t(1), std::int64_t(frames.size()));
}

std::int64_t framesTogether(const GriddingJob& job, const NufftProblem& problem) {
  const auto* const backend = dynamic_cast<const PointSetBackend*>(&job.backend);
  const auto frames = std::int64_t(job.frames.size());
  if (!backend) return 1;
  const std::int64_t most = std::min(backend->setsAtOnce(job.options.nufft),
                                     mostFramesTogether(job.scan, job.options, job.frames, problem));
  if (most < 2) return 1;
  const std::int64_t blocks = (frames + most - 1) / most;
  return (frames + blocks - 1) / blocks;  // blocks of one size
}

template <class Real>
bool gridFramesTogether(GriddingJob& job, const NufftProblem& problem, const NufftOptions& options,
                        bool methodsFixed, const FrameSetup& first, StageTimings& timings, PlanInfo& plan,
                        const Progress& progress) {
  const std::int64_t atOnce = framesTogether(job, problem);
  if (atOnce < 2) return false;
  std::vector<NufftOptions> tried{options};
  if (!methodsFixed) tried.push_back(withMethodsOf(job.options.nufft, options));
  const double planning = now();
  std::unique_ptr<Nufft<Real>> made;
  for (std::size_t i = 0; i < tried.size() && !made; ++i)
    made = planTogether<Real>(job, problem, atOnce, tried[i]);
  if (!made) return false;
  FrameSets<Real> transform(job, std::move(made), timings);
  bookStage(&job.account, JobStage::plan, planning);
  job.notes.push_back("points of " + countText(atOnce, "frame") +
                      " set together, and their images made together");
  try {
    runBlocks(job, transform, first, progress);
  } catch (...) {
    plan = transform.info();
    throw;
  }
  plan = transform.info();
  return true;
}

template bool gridFramesTogether<float>(GriddingJob&, const NufftProblem&, const NufftOptions&, bool,
                                        const FrameSetup&, StageTimings&, PlanInfo&, const Progress&);
template bool gridFramesTogether<double>(GriddingJob&, const NufftProblem&, const NufftOptions&, bool,
                                         const FrameSetup&, StageTimings&, PlanInfo&, const Progress&);

}  // namespace spokelab
