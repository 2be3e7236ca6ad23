#include "engine/recon/gridding.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/core/measure/trace_coils.h"
#include "engine/nufft/exact/nudft.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/coils/coil_gridder.h"
#include "engine/recon/coils/combine_coils.h"
#include "engine/recon/grid/frame_sets.h"
#include "engine/recon/grid/gridding_job.h"
#include "engine/recon/grid/weighted_samples.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/job_slabs.h"
#include "engine/recon/prepare/sample_scale.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/scan_problem.h"

namespace spokelab {
namespace {

constexpr double planningShare = 0.2;      // of the progress bar: density and tuning
constexpr double preparationShare = 0.05;  // the coils

// Weighted samples of some coils -> their images, by a plan. runFrames() takes this or
// ExactTransform:
//   batch(): coils a call; setPoints(points); apply(coils, weights, progress): images
// [batch][pixels].
template <class RealType>
class PlannedTransform {
 public:
  using Real = RealType;
  using Complex = std::complex<Real>;
  PlannedTransform(std::unique_ptr<Nufft<Real>> plan, StageTimings& timings, int threads)
      : plan_(std::move(plan)), timings_(timings), threads_(threads) {}

  std::int64_t batch() const { return plan_->problem().batch; }
  const PlanInfo& info() const { return plan_->info(); }
  // Whether combine() does what the options ask for, from now on.
  bool combines(const ReconOptions& options, int coils) {
    return gridder_ && options.combination != Combination::none &&
           gridder_->setCombination(options.combination, walshBlock(options, plan_->problem().dims), coils);
  }

  void setPoints(std::span<const double> points) {
    StageTimings t;
    plan_->setPoints(points, &t);
    timings_ += t;
    weighted_ = false;
  }

  // All coils of a slice to their combined image, where the plan can. mixer: has copies of some; or
  // null.
  void combine(const std::vector<ComplexPointer>& coils, const CoilMixer* mixer,
               std::span<const double> weights, Complex* out, const Progress& progress) {
    if (!weighted_) gridder_->setGriddingWeights(weights);
    weighted_ = true;
    std::vector<const Complex*> values;
    std::vector<Buffer<Complex>> converted;  // of coils that are stored in the other precision
    for (const ComplexPointer& coil : coils) {
      if (!std::holds_alternative<const Complex*>(coil))
        std::visit([&](const auto* in) { converted.emplace_back(in, in + weights.size()); }, coil);
      values.push_back(std::holds_alternative<const Complex*>(coil) ? std::get<const Complex*>(coil)
                                                                    : converted.back().data());
    }
    StageTimings t;
    gridder_->gridCoils(values, mixer, out, t, progress);
    timings_ += t;
  }

  const Complex* apply(const std::vector<ComplexPointer>& coils, std::span<const double> weights,
                       const Progress& progress) {
    const auto samples = std::int64_t(weights.size());
    const std::int64_t pixels = plan_->problem().pixels();
    samples_.resize(std::size_t(batch() * samples));
    images_.resize(std::size_t(batch() * pixels));
    StageTimings weighting;
    const double start = now();
    {
      const StageTimer timer(&weighting, Stage::multiply);
      for (std::int64_t c = 0; c < batch(); ++c) {
        Complex* out = samples_.data() + c * samples;
        if (c >= std::int64_t(coils.size()))
          std::fill(out, out + samples, Complex(0));
        else
          weightSamples(coils[std::size_t(c)], weights, threads_, out);
      }
    }
    weighting.total = now() - start;
    timings_ += weighting;
    progress.checkpoint();
    StageTimings t;
    Execution execution;
    execution.timings = &t;
    plan_->adjoint(samples_.data(), images_.data(), execution);
    timings_ += t;
    progress.checkpoint();
    return images_.data();
  }

 private:
  std::unique_ptr<Nufft<Real>> plan_;
  CoilGridder<Real>* gridder_ = dynamic_cast<CoilGridder<Real>*>(plan_.get());
  bool weighted_ = false;
  StageTimings& timings_;
  int threads_;
  Buffer<Complex> samples_, images_;
};

// The same by exact sums, one coil at a time.
class ExactTransform {
 public:
  using Real = double;
  ExactTransform(NufftProblem problem, StageTimings& timings, int threads)
      : problem_(problem), timings_(timings), threads_(threads) {
    problem_.batch = 1;
  }

  std::int64_t batch() const { return 1; }
  bool combines(const ReconOptions&, int) const { return false; }
  void combine(const std::vector<ComplexPointer>&, const CoilMixer*, std::span<const double>, cdouble*,
               const Progress&) {}
  void setPoints(std::span<const double> points) { points_.assign(points.begin(), points.end()); }

  const cdouble* apply(const std::vector<ComplexPointer>& coils, std::span<const double> weights,
                       const Progress& progress) {
    std::vector<cdouble> samples(weights.size());
    weightSamples(coils.front(), weights, threads_, samples.data());
    const double start = now();
    image_ = nudftAdjoint(problem_, points_, samples, {}, threads_, progress);
    timings_.total += now() - start;
    return image_.data();
  }

 private:
  NufftProblem problem_;
  StageTimings& timings_;
  int threads_;
  std::vector<double> points_;
  std::vector<cdouble> image_;
};

PlanInfo exactInfo(const ReconOptions& options) {
  PlanInfo info;
  info.backend = "cpu";
  info.options = options.nufft;
  info.description = "exact sums in double precision";
  return info;
}

template <class T>
void runFrames(GriddingJob& job, T& transform, FrameSetup first, const Progress& progress) {
  using Real = typename T::Real;
  const Scan& scan = job.scan;
  const Image& image = *job.image.image();
  std::complex<Real>* const pixelsOfAll = job.image.pixels<Real>();
  const bool planar = scan.dims() < 3;
  const std::int64_t pixels = planar ? image.size[0] * image.size[1] : image.volume();
  const bool gridderCombines = transform.combines(job.options, scan.coils);
  const double combining = now();
  std::optional<CoilCombiner<Real>> combiner;
  if (!gridderCombines)
    combiner.emplace(job.options, scan.coils,
                     Index3{image.size[0], image.size[1], planar ? 1 : image.size[2]});
  bookStage(&job.account, JobStage::combine, combining);
  const auto setPoints = [&](std::span<const double> points) {
    const JobTimer timer(&job.account, JobStage::points);
    transform.setPoints(points);
  };
  const double steps = double(job.frames.size()) * double(job.slices.size()) * double(scan.coils);
  double step = 0;
  FrameSetup setup = std::move(first);
  setPoints(setup.points);
  CoilMixer* const sender = gridderCombines ? job.sender.get() : nullptr;
  for (std::size_t f = 0; f < job.frames.size(); ++f) {
    const int frame = job.frames[f];
    const double began = now();
    if (f > 0 && scan.trajectories.size() > 1) {
      setup = setupFrame(job, frame, progress.part(step / steps, step / steps));
      setPoints(setup.points);
    }
    if (f + 1 < job.frames.size()) sendAhead(sender, scan, job.frames[f + 1], job.slices);
    for (std::size_t s = 0; s < job.slices.size(); ++s) {
      const std::int64_t place = planar ? std::int64_t(s) * pixels : 0;
      std::complex<Real>* const out = pixelsOfAll + std::int64_t(f) * image.volume() + place;
      if (gridderCombines) {
        const JobTimer timer(&job.account, JobStage::transforms);
        std::vector<ComplexPointer> coils;
        for (int c = 0; c < scan.coils; ++c) coils.push_back(scan.values<Real>(frame, job.slices[s], c));
        transform.combine(coils, job.mixer.get(), setup.weights, out,
                          progress.part(step / steps, (step + scan.coils) / steps));
        step += scan.coils;
        continue;
      }
      for (int c = 0; c < scan.coils;) {
        const int count = int(std::min<std::int64_t>(transform.batch(), scan.coils - c));
        progress.report(step / steps, scan.coils > 1 ? "Reconstructing coils" : "Reconstructing");
        std::vector<ComplexPointer> coils;
        for (int i = 0; i < count; ++i) coils.push_back(scan.values<Real>(frame, job.slices[s], c + i));
        const double applying = now();
        const auto* images =
            transform.apply(coils, setup.weights, progress.part(step / steps, (step + count) / steps));
        traceCoils(c, count, applying);
        bookStage(&job.account, JobStage::transforms, applying);
        const JobTimer timer(&job.account, JobStage::combine);
        for (int i = 0; i < count; ++i)
          combiner->add(c + i, images + i * pixels,
                        job.separateCoils ? pixelsOfAll + (c + i) * image.volume() + place : out);
        c += count;
        step += count;
      }
      const JobTimer timer(&job.account, JobStage::combine);
      combiner->finish(out, progress);
    }
    forgetSent(sender, scan, frame, job.slices);
    job.complete = job.separateCoils ? scan.coils : int(f) + 1;
    if (f > 0) job.frameSeconds.push_back(now() - began);
  }
}

template <class Real>
void runPlanned(GriddingJob& job, const ScanProblem& problem, const NufftOptions& options, FrameSetup first,
                bool fixed, Reconstruction& result, const Progress& progress) {
  if (gridFramesTogether<Real>(job, problem.problem, options, fixed, first, result.timings, result.plan,
                               progress))
    return;
  const double planning = now();
  std::optional<PlannedTransform<Real>> transform;
  transform.emplace(planInSlabs<Real>(job.backend, problem.whole, withoutNormal(options, problem.slabs),
                                      problem.slabs, job.slabShare),
                    result.timings, options.threads);
  bookStage(&job.account, JobStage::plan, planning);
  try {
    runFrames(job, *transform, std::move(first), progress);
  } catch (...) {
    result.plan = transform->info();
    throw;
  }
  result.plan = transform->info();
  const JobTimer freeing(&job.account, JobStage::plan);
  transform.reset();
}

// Whether the samples are worth the loading of the mixer's libraries.
bool mixesWell(const CoilMixer& mixer, const Scan& scan, const ReconOptions& options) {
  constexpr double minValuesToLoad = 1 << 24;  // the host's cores take about as long to mix so many
  if (mixer.ready()) return true;
  double values = 0;
  for (const int frame : selection(options.frames, scan.frames, "frames"))
    values += double(scan.trajectory(frame).samples()) * scan.slices * scan.coils;
  return values >= minValuesToLoad;
}

// The plan to use: the one given, the one asked for by alpha and width, else tuned. None where that
// was cancelled.
std::optional<NufftOptions> choosePlan(NufftBackend& backend, const ScanProblem& problem,
                                       const ReconOptions& options, const Candidate* plan, Wisdom* wisdom,
                                       Reconstruction& result, const Progress& progress) {
  if (plan) return plan->options;
  if (options.nufft.alpha > 0 && options.nufft.width > 0) return options.nufft;
  NufftBackend* const one[] = {&backend};
  const double start = now();
  {
    const TraceScope silent(nullptr);  // transforms that are timed are none of the image's
    result.tuning =
        std::make_shared<const TuneResult>(tune(one, tuneRequest(problem, options), wisdom, progress));
  }
  result.tuningSeconds = now() - start;
  bookStage(nullptr, JobStage::tune, start);
  if (result.tuning->cancelled) return std::nullopt;
  return result.tuning->candidates[std::size_t(result.tuning->best)].options;
}

// Keeps the frames that are complete, of samples times 2^exponent; no image where there is none.
void keepComplete(GriddingJob& job, int exponent, Reconstruction& result) {
  if (job.complete == 0) return;
  const JobTimer timer(&job.account, JobStage::combine);
  job.image.finish(exponent);
  const Image& image = *job.image.image();
  if (job.complete < image.frames) {
    result.notes.push_back("cancelled after " + std::to_string(job.complete) + " of " +
                           std::to_string(image.frames) + " frames");
    job.image.keepFrames(job.complete);
  }
  result.image = job.image.image();
}

Reconstruction gridFrames(NufftBackend& backend, const Scan& scan, const ScanPreparation& coils,
                          const std::shared_ptr<CoilMixer>& mixer, const ReconOptions& options,
                          const Candidate* plan, Wisdom* wisdom, const GriddingShare& share,
                          const Progress& progress) {
  Reconstruction result;
  result.options = options;
  GriddingJob job = makeGriddingJob(scan, options, backend, share.place);
  job.slabShare = share.slabs;
  job.mixer = coils.mixer ? coils.mixer : mixer;
  if (!coils.mixer && !options.inDouble() && !job.separateCoils) job.sender = mixer;
  // Frames with points of their own may be gridded together, from the host's memory, and what
  // travels would disturb the tuner's times.
  const bool planned = plan || (options.nufft.alpha > 0 && options.nufft.width > 0);
  if (planned && (scan.trajectories.size() == 1 || job.frames.size() == 1))
    sendAhead(job.sender.get(), scan, job.frames.front(), job.slices);
  try {
    const double densityStart = now();
    FrameSetup first = setupFrame(job, job.frames.front(), progress.part(0, planningShare / 2));
    result.density = first.origin;
    const double densitySeconds = now() - densityStart;
    constexpr double minNotedSeconds = 0.1;
    if (densitySeconds > minNotedSeconds)
      result.notes.push_back("density compensation took " + secondsText(densitySeconds));
    const ScanProblem problem = scanProblem(scan, options);
    const Progress rest = progress.part(planningShare, 1);
    if (options.exact) {
      ExactTransform transform(problem.problem, result.timings, options.nufft.threads);
      result.plan = exactInfo(options);
      runFrames(job, transform, std::move(first), rest);
    } else {
      const auto chosen = choosePlan(backend, problem, options, plan, wisdom, result,
                                     progress.part(planningShare / 2, planningShare));
      if (!chosen) throw Cancelled{};
      if (problem.problem.batch < scan.coils)
        result.notes.push_back(std::to_string(problem.problem.batch) + " of " + std::to_string(scan.coils) +
                               " coils at a time, to bound memory");
      if (options.precision == Precision::single)
        runPlanned<float>(job, problem, *chosen, std::move(first), plan != nullptr, result, rest);
      else
        runPlanned<double>(job, problem, *chosen, std::move(first), plan != nullptr, result, rest);
    }
    progress.report(1, "Reconstructed");
  } catch (const Cancelled&) {
    result.cancelled = true;
  }
  if (scan.coils > 1 && !job.separateCoils)
    result.notes.push_back(std::to_string(scan.coils) + " coils combined " +
                           (options.combination == Combination::adaptive
                                ? "adaptively (Walsh)"
                                : "by root sum of squares (magnitude)"));
  keepComplete(job, coils.exponent, result);
  result.account = job.account;
  result.notes.insert(result.notes.end(), job.notes.begin(), job.notes.end());
  result.frameSeconds = std::move(job.frameSeconds);
  result.account[JobStage::tune] = result.tuningSeconds;
  return result;
}

}  // namespace

std::shared_ptr<CoilMixer> griddingMixer(TransformBackend& backend, const Scan& scan,
                                         const ReconOptions& options) {
  // Slabs take their samples from the host's memory.
  const bool onHost = options.exact || jobSlabs(scan, options) > 1;
  return onHost ? nullptr : backend.coilMixer();
}

ScanPreparation prepareGridding(const Scan& scan, const ReconOptions& options, const Progress& progress,
                                const std::shared_ptr<CoilMixer>& mixer, Ranks* ranks) {
  const double start = now();
  ScanPreparation prepared = prepareScan(scan, options, progress,
                                         mixer && mixesWell(*mixer, scan, options) ? mixer : nullptr, ranks);
  prepared.seconds = now() - start;
  bookStage(nullptr, JobStage::whiten, start);
  return prepared;
}

Reconstruction gridPrepared(TransformBackend& backend, const Scan& scan, const ScanPreparation& coils,
                            const std::shared_ptr<CoilMixer>& mixer, const ReconOptions& options,
                            const Candidate* plan, Wisdom* wisdom, const GriddingShare& share,
                            const Progress& progress) {
  Reconstruction result = gridFrames(backend, coils.scan ? *coils.scan : scan, coils, mixer,
                                     withoutPreparation(options), plan, wisdom, share, progress);
  result.account[JobStage::whiten] = coils.seconds - coils.compressSeconds;
  result.account[JobStage::compress] = coils.compressSeconds;
  result.notes.insert(result.notes.begin(), coils.notes.begin(), coils.notes.end());
  if (const std::string unused = unusedOptions(options); !unused.empty())
    result.notes.push_back("not used, since gridding does not iterate: " + unused);
  return result;
}

Reconstruction gridScan(TransformBackend& backend, const Scan& scan, const ReconOptions& options,
                        const Candidate* plan, Wisdom* wisdom, const Progress& progress) {
  const double start = now();
  Reconstruction result;
  try {
    const std::shared_ptr<CoilMixer> mixer = griddingMixer(backend, scan, options);
    const ScanPreparation coils =
        prepareGridding(scan, options, progress.part(0, preparationShare), mixer, nullptr);
    result = gridPrepared(backend, scan, coils, mixer, options, plan, wisdom, {},
                          progress.part(preparationShare, 1));
  } catch (const Cancelled&) {
    result.cancelled = true;
  }
  result.options = options;
  result.seconds = result.account.total = now() - start;
  return result;
}

}  // namespace spokelab
