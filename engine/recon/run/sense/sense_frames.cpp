#include "engine/recon/run/sense/sense_frames.h"

#include <algorithm>
#include <utility>

#include "engine/core/memory/memory_check.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/run/sense/scan_sense.h"
#include "engine/recon/run/sense/sense_result.h"
#include "engine/recon/sense/unknowns/nlinv.h"

namespace spokelab {
namespace {

// True if the slices of a frame differ only in their samples and coil maps.
bool hasOnePlanForSlices(const SenseProblem& problem) {
  return problem.field.empty() && problem.decay.empty() && problem.phases.empty();
}

// True if the maps of all slices may be kept for the next frame.
bool keepsMaps(const SenseProblem& problem, std::size_t slices) {
  constexpr double maxBackendBytes = 4.0 * (1 << 30);
  if (problem.backendMaps && slices > 1)
    return double(slices) * double(problem.backendMaps->count()) * sizeof(cfloat) < maxBackendBytes;
  return slices == 1 || fitsIntoMemory(double(slices * problem.maps.size()) * sizeof(cfloat));
}

// True if a plan for the samples of one serves the other.
bool sampledAlike(const Trajectory& a, const Trajectory& b) {
  return a.shotOffsets == b.shotOffsets && a.points == b.points && a.times == b.times &&
         a.secondOrder == b.secondOrder && a.weights == b.weights;
}

class SenseFrames final : public RecipeRun {
 public:
  explicit SenseFrames(RunContext& context)
      : context_(context),
        options_(context.job.options),
        solver_(recipeIterations(options_)),
        densities_(context.scan, options_, context.backend),
        averaged_(context.share.mapFrames.empty() ? mapFrames(context.frames) : context.share.mapFrames),
        maps_(context.job.slices.size(),
              {averaged_, {}, {}, context.share.coils ? &*context.share.coils : nullptr}),
        pointSender_(options_.inDouble() ? nullptr : context.mixer.get()),
        lastFrames_(context.job.slices.size()) {
    // Copies begin only now: the host's look at points and samples would compete for its memory.
    maps_.front().samplesSeen = [this] {
      const int frame = context_.frames.front();
      if (pointSender_) pointSender_->sendPoints(context_.scan.trajectory(frame).points);
      sendAhead(context_.sender, context_.scan, frame, context_.job.slices, context_.ownCoils());
    };
  }

  double prepareShare() const override { return 0.3; }  // the maps

  void prepare(const Unknown& unknown, const Progress& progress) override {
    const std::size_t s = unknown.slicePlace;
    notes_.clear();
    problem_ = senseProblem(context_.backend, context_.scan, context_.preparation.mixing, context_.job,
                            unknown.frames.front(), unknown.slice, densities_, maps_[s], notes_, progress);
    const auto& mixed = context_.preparation.mixer;
    problem_.mixer = mixed ? mixed : std::shared_ptr<const CoilMixer>(context_.mixer);
    if (!options_.inDouble()) problem_.hostImage = context_.pixelsOf<float>(unknown.frame, s);
  }

  void solve(const Unknown& unknown, const Progress& progress) override {
    const int frame = unknown.frames.front();
    makeRun(unknown);
    solution_ =
        run_->run(solver_, watcherOf(options_.iterative, frame, unknown.slice, context_.preparation.exponent),
                  planned_ != unknown.slicePlace, progress);
    planned_ = unknown.slicePlace;
    if (problem_.placedPoints) pointSender_->forgetPoints();
    problem_.placedPoints = nullptr;
    context_.result.density = densities_.originInSolve(frame, progress);
  }

  void place(const Unknown& unknown) override {
    {
      const JobTimer timer(JobStage::combine);
      keepImage(solution_.image.data(), solution_.image.size(),
                context_.pixelsOf<float>(unknown.frame, unknown.slicePlace));
      keepImage(solution_.doubleImage.data(), solution_.doubleImage.size(),
                context_.pixelsOf<double>(unknown.frame, unknown.slicePlace));
    }
    context_.complete = int(unknown.frame) + 1;
    recordSolution(context_, solution_, unknown.frames.front(), unknown.slice, notes_, solver_);
    if (solution_.cancelled) throw Cancelled{};
    const JobTimer freeing(JobStage::plan);
    const Span traced("memory freed");
    const bool kept = keepsMaps(problem_, maps_.size());
    if (!unknown.lastFrames && kept) {
      maps_[unknown.slicePlace].known = std::move(problem_.maps);
      maps_[unknown.slicePlace].knownToBackend = problem_.backendMaps;
    }
    // Maps that the next frame estimates anew need the memory.
    const bool lastSlice = unknown.slicePlace + 1 == maps_.size();
    if (unknown.last || (context_.scan.trajectories.size() > 1 && lastSlice && !kept)) run_.reset();
    if (unknown.last) problem_ = {};
  }

  std::string cancelNote() const override {
    const IterationRecord& last = context_.result.iterations.back();
    return "cancelled in frame " + std::to_string(last.frame) + ", slice " + std::to_string(last.slice) +
           "; its image is the one after iteration " + std::to_string(last.residuals.size());
  }

 private:
  // Keeps the run if it serves the next unknown, else makes one.
  void makeRun(const Unknown& unknown) {
    const Trajectory& trajectory = context_.scan.trajectory(unknown.frames.front());
    const bool newFrame = unknown.slicePlace == 0 && unknown.frame > 0;
    const bool newPoints =
        run_ && newFrame &&
        !sampledAlike(context_.scan.trajectory(context_.frames[unknown.frame - 1]), trajectory);
    const bool oneForSlices = hasOnePlanForSlices(problem_) && !context_.job.recipe->findsMaps;
    const bool serves = run_ && (planned_ == unknown.slicePlace || oneForSlices);
    if (serves && (!newPoints || (problem_.forms.empty() && run_->takePoints()))) return;
    if (pointSender_) problem_.placedPoints = pointSender_->copyOfPoints(trajectory.points.data());
    Backend& backend = context_.backend;
    run_ = context_.share.senseRun          ? context_.share.senseRun(problem_)
           : context_.job.recipe->findsMaps ? backend.findMapsRun(problem_, &lastFrames_[unknown.slicePlace])
           : problem_.slabs > 1             ? senseRunOnHost(backend, problem_)
                                            : backend.senseRun(problem_);
  }

  RunContext& context_;
  const ReconOptions& options_;
  IterationOptions solver_;
  FrameDensities densities_;
  const std::vector<int> averaged_;
  std::vector<CoilMapSource> maps_;  // of each slice
  CoilMixer* const pointSender_;
  std::vector<std::string> notes_;
  std::vector<NlinvFrame> lastFrames_;  // of each slice, where methods find maps; run_ writes to it
  SenseProblem problem_;                // before run_, which refers to it
  std::unique_ptr<SenseRun> run_;
  std::size_t planned_ = 0;  // the slice whose maps and field run_ has
  SenseSolution solution_;
};

}  // namespace

std::unique_ptr<RecipeRun> senseFrames(RunContext& context, const Progress&) {
  return std::make_unique<SenseFrames>(context);
}

}  // namespace spokelab
