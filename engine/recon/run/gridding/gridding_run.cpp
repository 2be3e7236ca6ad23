#include "engine/recon/run/gridding/gridding_run.h"

#include <utility>

#include "engine/core/text.h"
#include "engine/recon/run/gridding/frame_sets.h"
#include "engine/recon/run/gridding/one_frame.h"
#include "engine/recon/run/scan_problem.h"

namespace spokelab {
namespace {

constexpr double planningShare = 0.2;  // of the progress: density and tuning

class GriddingRun final : public RecipeRun {
 public:
  GriddingRun(RunContext& context, FrameSetup first, std::unique_ptr<Gridder> gridder)
      : context_(context), gridder_(std::move(gridder)) {
    first_.push_back(std::move(first));
  }

  std::size_t framesAtOnce() const override { return gridder_->framesAtOnce(); }
  double madeShare() const override { return planningShare; }

  void prepare(const Unknown& unknown, const Progress& progress) override {
    if (unknown.slicePlace > 0 || (unknown.frame > 0 && !context_.job.pointsMove)) return;
    std::vector<FrameSetup> setups = std::exchange(first_, {});
    for (FrameSetup& setup : setupFrames(context_, unknown.frames.subspan(setups.size()), progress))
      setups.push_back(std::move(setup));
    const JobTimer timer(JobStage::points);
    const StageRecorder stages(context_.result.timings);
    gridder_->setPoints(std::move(setups));
  }
  void solve(const Unknown& unknown, const Progress& progress) override {
    const StageRecorder stages(context_.result.timings);
    gridder_->grid(unknown, progress);
  }
  void place(const Unknown&) override {}

  void describe() override { context_.result.plan = gridder_->info(); }
  void addNotes() override {
    std::vector<std::string>& notes = context_.result.notes;
    const ReconOptions& options = context_.job.options;
    if (context_.scan.coils > 1 && !context_.job.separatesCoils)
      notes.push_back(std::to_string(context_.scan.coils) + " coils combined " +
                      (options.combination == Combination::adaptive ? "adaptively (Walsh)"
                                                                    : "by root sum of squares (magnitude)"));
    if (const std::string unused = unusedOptions(options); !unused.empty())
      notes.push_back("not used, since gridding does not iterate: " + unused);
  }
  std::string cancelNote() const override {
    const std::size_t frameCount = context_.frames.size();
    if (context_.job.separatesCoils || std::size_t(context_.complete) == frameCount) return {};
    return "cancelled after " + std::to_string(context_.complete) + " of " + std::to_string(frameCount) +
           " frames";
  }

 private:
  RunContext& context_;
  std::vector<FrameSetup> first_;  // until its points are set
  std::unique_ptr<Gridder> gridder_;
};

FrameSetup firstFrame(RunContext& context, const Progress& progress) {
  constexpr double minNotedSeconds = 0.1;
  const double start = now();
  FrameSetup first = std::move(setupFrames(context, std::span(context.frames).first(1), progress).front());
  context.result.density = first.origin;
  const double seconds = now() - start;
  if (seconds > minNotedSeconds)
    context.result.notes.push_back("density compensation took " + secondsText(seconds));
  return first;
}

NufftOptions tunedPlan(RunContext& context, const Progress& progress) {
  NufftBackend* const one[] = {&context.backend};
  const ScanProblem problem = scanProblem(context.scan, context.job);
  Reconstruction& result = context.result;
  JobTimer timer(JobStage::tune);
  {
    const SpanScope silent(SpanCut::all);  // the tuner's transforms are not the image's
    result.tuning = std::make_shared<const TuneResult>(
        tune(one, tuneRequest(problem, context.job.options), context.wisdom, progress));
  }
  result.tuningSeconds = timer.end();
  if (result.tuning->cancelled) throw Cancelled{};
  return result.tuning->candidates[std::size_t(result.tuning->best)].options;
}

template <class Real>
std::unique_ptr<Gridder> gridderOf(RunContext& context, const NufftOptions& options) {
  auto together = gridderOfFrames<Real>(context, options, context.candidate != nullptr);
  return together ? std::move(together) : gridderByPlan<Real>(context, options);
}

}  // namespace

std::unique_ptr<RecipeRun> griddingRun(RunContext& context, const Progress& progress) {
  const JobPlan& job = context.job;
  const bool planned = context.candidate || job.planIsGiven;
  // Frames may be gridded together from the host; copies would disturb the tuner's times.
  if (job.separatesCoils) context.sender = nullptr;
  if (planned && (!job.pointsMove || context.frames.size() == 1))
    sendAhead(context.sender, context.scan, context.frames.front(), job.slices);
  FrameSetup first = firstFrame(context, progress.part(0, planningShare / 2));
  const NufftOptions options = context.candidate ? context.candidate->options
                               : job.planIsGiven
                                   ? job.options.nufft
                                   : tunedPlan(context, progress.part(planningShare / 2, planningShare));
  if (job.problem.batch < context.scan.coils)
    context.result.notes.push_back(std::to_string(job.problem.batch) + " of " +
                                   std::to_string(context.scan.coils) + " coils at a time, to bound memory");
  auto gridder = job.options.precision == Precision::single ? gridderOf<float>(context, options)
                                                            : gridderOf<double>(context, options);
  return std::make_unique<GriddingRun>(context, std::move(first), std::move(gridder));
}

std::unique_ptr<RecipeRun> exactRun(RunContext& context, const Progress& progress) {
  FrameSetup first = firstFrame(context, progress.part(0, planningShare / 2));
  return std::make_unique<GriddingRun>(context, std::move(first), gridderByExactSums(context));
}

}  // namespace spokelab
