#include "app/gui/session/plan_job.h"

#include <cmath>

#include "app/gui/session/session.h"
#include "engine/core/error.h"
#include "engine/recon/explore/scan_field.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/run/scan_problem.h"
#include "widgets/core/candidate_text.h"

namespace spokelab {

namespace {

constexpr double maxPlanDifference = 1e-6;  // α and W closer than this are one plan

// True if the plan was timed as a normal operator: by its error or its path.
bool ofNormalOperator(const Candidate& plan) {
  return plan.predictedNormalError > 0 || !pathOf(plan).isGrid();
}

bool near(double a, double b) {
  return std::abs(a - b) < maxPlanDifference;
}

}  // namespace

ReconOptions optionsFor(ReconOptions options, const Candidate& plan) {
  if (!ofNormalOperator(plan)) return options;
  IterativeOptions& iterative = options.iterative;
  if (iterative.method == ReconMethod::gridding) iterative.method = ReconMethod::sense;
  if (plan.path.transform != TransformKind::automatic) {
    iterative.transform = plan.path.transform;
    iterative.interpolator = plan.path.interpolator;
    iterative.segments = plan.path.segments;
    iterative.convolutions = plan.path.convolutions;
    return options;
  }
  iterative.transform = isToeplitz(plan.options.normal) ? TransformKind::toeplitz : TransformKind::nufft;
  return options;
}

QString planNote(const ReconOptions& options, const Candidate& plan, const std::optional<Workload>& timed) {
  if (ofNormalOperator(plan) && options.iterative.method == ReconMethod::gridding)
    return Session::tr("made by SENSE: the plan was timed as a normal operator, which gridding has none of");
  if (timed && timed->direction == Direction::forward)
    return Session::tr(
        "the forward transform that was timed makes samples, no image: this image is the adjoint's, with the "
        "same α, W and kernel");
  return {};
}

bool ranWith(const Reconstruction& result, const Candidate& plan) {
  if (isImported(result) || result.options.exact || plan.backend != result.plan.backend) return false;
  const Candidate ran = planOf(result);
  const CandidatePath path = pathOf(plan);
  if (isThroughField(plan))
    return result.options.iterative.transform == plan.path.transform &&
           (isExact(plan.path.transform) ||
            (near(plan.options.alpha, ran.options.alpha) && near(plan.options.width, ran.options.width)));
  if (!path.isGrid()) return pathOf(ran).name == path.name && near(pathOf(ran).alpha, path.alpha);
  // A gridded normal operator is not the plan of a result that convolved.
  const bool convolved = ofNormalOperator(plan) && !pathOf(ran).isGrid();
  return !convolved && near(plan.options.alpha, ran.options.alpha) &&
         near(plan.options.width, ran.options.width);
}

std::shared_ptr<const Reconstruction> runPlan(const Session& session, const Scan& scan,
                                              const ReconOptions& options, const Candidate& plan,
                                              const QString& note, const Progress& progress) {
  Backend* chosen = nullptr;
  for (Backend* backend : session.backends())
    if (backend->name() == plan.backend) chosen = backend;
  if (!chosen)
    throw Error("Cannot use this plan", "its backend " + plan.backend + " is not available", "Sweep again");
  auto result = std::make_shared<Reconstruction>(runJob(
      *chosen, scan, withEchoField(*chosen, scan, options, progress), &plan, session.wisdom(), progress));
  result->options.iterative.echoField = nullptr;  // made for this scan; another scan makes its own
  if (!note.isEmpty()) result->notes.push_back(note.toStdString());
  if (result->cancelled || !result->image) throw Cancelled{};
  return result;
}

namespace {

// Seconds of a mean iteration's transforms, as stages; total 0: not recorded.
StageTimings transformsOf(const MeanIteration& mean) {
  StageTimings timings;
  if (mean.count == 0) return timings;
  timings[Stage::spread] = mean.parts[IterationPart::interpolation];
  timings[Stage::fft] = mean.parts[IterationPart::fft];
  timings[Stage::multiply] = mean.parts[IterationPart::multiply];
  timings.total = timings.accounted() + mean.parts[IterationPart::otherStages];
  return timings;
}

StageTimings over(StageTimings timings, double count) {
  for (int i = 0; i < stageCount; ++i) {
    for (auto* part : {&timings.seconds, &timings.bytes, &timings.parallel, &timings.worked})
      (*part)[std::size_t(i)] /= count;
  }
  timings.total /= count;
  return timings;
}

}  // namespace

std::shared_ptr<const TuneResult> timedPlan(const Scan& scan, const Reconstruction& result,
                                            const MachineLoad& load) {
  if (isImported(result) || result.options.exact || !(result.timings.total > 0)) return nullptr;
  const JobPlan job = planJob(scan, result.options);
  const ScanProblem problem = scanProblem(scan, job);
  if (problem.slabs > 1) return nullptr;
  const Workload& workload = problem.workload;
  auto timed = std::make_shared<TuneResult>();
  Candidate plan = planOf(result);
  if (workload.direction == Direction::normal) {
    const double calls = std::ceil(double(job.coils) / double(problem.problem.batch));
    plan.timings = over(transformsOf(meanIteration(result.iterations)), calls);
  } else {
    plan.timings = over(result.timings, workload.executions * workload.pointSets);
  }
  if (!(plan.timings.total > 0)) return nullptr;
  plan.repeats = 1;
  plan.planSeconds = result.account[JobStage::plan];
  plan.setPointsSeconds = result.account[JobStage::points] / workload.pointSets;
  plan.seconds = plan.parts().whole(workload);
  timed->candidates = {plan};
  timed->best = 0;
  timed->workload = workload;
  timed->load = load;
  placeConvolutions(*timed);
  return timed;
}

void placeConvolutions(TuneResult& timed) {
  if (timed.workload.direction != Direction::normal) return;
  for (Candidate& plan : timed.candidates)
    if (plan.timed() && isToeplitz(plan.options.normal) && plan.predictedNormalError == 0)
      plan.predictedNormalError = plan.predicted.relativeL2;
}

QString planLabel(const Candidate& plan) {
  return candidatePlace(plan);
}

QString planCommand(const Session& session, ReconOptions options, const Candidate& plan) {
  options.backend = plan.backend;
  options.nufft = plan.options;
  return session.commandFor("reconstruct", options, {"-o", "image.nii.gz"});
}

}  // namespace spokelab
