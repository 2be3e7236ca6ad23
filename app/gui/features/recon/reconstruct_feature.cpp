#include "app/gui/features/recon/reconstruct_feature.h"

#include <QAction>

#include <utility>

#include "app/gui/session/iteration_control.h"
#include "app/gui/session/plan_job.h"
#include "engine/core/error.h"
#include "engine/core/measure/machine_load.h"
#include "engine/core/measure/trace.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/reconstruct.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind onePlan{.name = "plan", .urgent = true};

// A time that was taken on a busy machine says so, in the result's notes and above the charts.
void noteLoad(Reconstruction& result, const MachineLoad& load) {
  if (result.tuning) {
    auto tuning = std::make_shared<TuneResult>(*result.tuning);
    tuning->load = load;
    result.tuning = std::move(tuning);
  }
  if (load.isBusy()) result.notes.push_back(loadText(load));
}

}  // namespace

ReconstructFeature::ReconstructFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  action_ = makeAction(this, tr("Reconstruct"), "action-reconstruct", Qt::CTRL | Qt::Key_R,
                       tr("Tune a plan for the parameters and reconstruct with it"));
  action_->setEnabled(false);
  automatic_ = makeAction(this, tr("Reconstruct when a scan is opened"), "action-reconstruct-on-open");
  automatic_->setCheckable(true);
  automatic_->setChecked(true);
  connect(action_, &QAction::triggered, this, &ReconstructFeature::run);
  connect(&session_, &Session::scanOpened, this,
          [this](const std::shared_ptr<const Scan>& scan) { action_->setEnabled(scan != nullptr); });
  connect(&session_, &Session::scanOpened, this, &ReconstructFeature::tellSlabs);
  connect(views_.parameters, &ParameterPanel::optionsChanged, this, &ReconstructFeature::tellSlabs);
  connect(&session_.jobs(), &JobQueue::jobChanged, this, &ReconstructFeature::jobEnded);
  connect(&session_, &Session::lambdaChanged, this, &ReconstructFeature::takeLambda);
}

// The rules of the options know no scan: one without a volume, or with a field map, has no slabs.
void ReconstructFeature::tellSlabs() {
  const auto scan = session_.scan();
  QString why;
  if (scan) try {
      why = QString::fromStdString(planJob(*scan, views_.parameters->options()).whyNotInSlabs);
    } catch (const Error&) {  // a parameter is wrong: Reconstruct says so
    }
  views_.parameters->setUnavailable(
      "slabs", why.isEmpty() ? why : tr("The transforms of this scan are not divided: %1").arg(why));
}

void ReconstructFeature::run() {
  if (!views_.parameters->isValid()) {
    Q_EMIT session_.failed(
        {tr("Cannot reconstruct"), views_.parameters->problem(), tr("Correct the parameter marked red")});
    views_.parameters->revealProblem();
    return;
  }
  Q_EMIT asked();
  reconstruct(views_.parameters->options());
}

void ReconstructFeature::reconstruct(const ReconOptions& options) {
  if (!session_.needScan(tr("reconstruct"))) return;
  const auto scan = session_.scan();
  const auto control =
      options.iterative.method == ReconMethod::gridding ? nullptr : std::make_shared<IterationControl>(scan);
  JobQueue& jobs = session_.jobs();
  const int id = jobs.submit(
      JobKind::reconstruct, tr("Reconstruct %1").arg(QString::fromStdString(scan->name)),
      [this, &session = session_, scan, options, control](const JobContext& context) -> JobQueue::Delivery {
        const LoadWatch load;
        TraceRecorder recorder;
        const SpanScope traces(&recorder);
        ReconOptions asked = options;
        if (control)
          asked.iterative.watcher = [control, stop = context.progress.stopToken(),
                                     waits = context.waits](const IterationState& state) {
            return control->watch(state, stop, waits);
          };
        auto done = std::make_shared<Reconstruction>(spokelab::reconstruct(
            session.backends(), *scan, asked, session.wisdom(), context.progress, context.seen));
        if (done->cancelled || !done->image) throw Cancelled{};
        done->options.iterative.watcher = {};
        noteLoad(*done, load.load());
        const auto timed = timedPlan(*scan, *done, load.load());
        const std::shared_ptr<const Reconstruction> result = done;
        const auto trace = std::make_shared<const Trace>(recorder.take());
        return [this, scan, result, trace, timed] {
          Q_EMIT traced(tr("Reconstruct %1").arg(QString::fromStdString(scan->name)), trace);
          if (!result->iterations.empty()) {
            const IterationRecord& last = result->iterations.back();
            Q_EMIT session_.iterationsEnded(
                tr("iteration %1: %2")
                    .arg(QString::number(last.residuals.size()), QString::fromStdString(last.ending)));
          }
          session_.deliver(scan, result, timed);
          if (result->tuning && !session_.jobs().busy(JobKind::sweep))
            Q_EMIT session_.profileReady(*result->tuning);
        };
      },
      session_.commandFor("reconstruct", options, {"-o", "image.nii.gz"}));
  if (control) {
    iterating_ = {id, scan, options, control};
    Q_EMIT session_.iterationsStarted(QString::fromStdString(scan->name), control);
  }
  // A sweep that runs keeps the charts.
  if (!jobs.busy(JobKind::sweep)) session_.profile(id, options.nufft.accuracy);
}

void ReconstructFeature::reconstructWith(const Candidate& plan, const ReconOptions& options,
                                         const QString& note) {
  if (!session_.needScan(tr("reconstruct"))) return;
  const auto scan = session_.scan();
  session_.jobs().submit(
      onePlan, planLabel(plan),
      [this, &session = session_, scan, options, plan,
       note](const JobContext& context) -> JobQueue::Delivery {
        const LoadWatch load;
        auto result = runPlan(session, *scan, options, plan, note, context.progress);
        const auto timed = timedPlan(*scan, *result, load.load());
        return [this, scan, result, timed] { session_.deliver(scan, result, timed); };
      },
      planCommand(session_, options, plan));
}

// The command line repeats the iterations with the lambda that they ended with.
void ReconstructFeature::takeLambda(double lambda) {
  if (!iterating_.control) return;
  iterating_.options.iterative.solver.lambda = lambda;
  session_.jobs().setCommand(iterating_.job,
                             session_.commandFor("reconstruct", iterating_.options, {"-o", "image.nii.gz"}));
}

// A cancel leaves the iterations' last image as a result.
void ReconstructFeature::jobEnded(const JobState& state) {
  if (!state.finished() || state.id != iterating_.job || !iterating_.control) return;
  if (state.status == JobStatus::cancelled) return keepLastImage();
  iterating_ = {};
  if (state.status == JobStatus::failed) Q_EMIT session_.iterationsEnded(tr("failed"));
}

void ReconstructFeature::keepLastImage() {
  const Iterating ended = std::exchange(iterating_, {});
  int iteration = -1;
  const auto image = ended.control->lastImage(iteration);
  if (!image) return Q_EMIT session_.iterationsEnded(tr("cancelled before the first image"));
  Q_EMIT session_.iterationsEnded(tr("cancelled; the image of iteration %1 is kept").arg(iteration));
  auto result = std::make_shared<Reconstruction>();
  result->image = image;
  result->options = ended.options;
  result->cancelled = true;
  const IterationControl::Known known = ended.control->known();
  result->plan = known.plan;
  result->pausedSeconds = known.pausedSeconds;
  result->notes.push_back("cancelled, image of iteration " + std::to_string(iteration));
  IterationRecord record;
  record.ending = "cancelled";
  record.transform = known.plan.description;
  record.lambdaChanges = known.lambdaChanges;
  for (const IterationPoint& point : known.points) {
    record.frame = point.frame;
    record.slice = point.slice;
    record.residuals.push_back(point.residual);
    record.seconds.push_back(point.seconds);
  }
  if (!record.seconds.empty()) result->seconds = result->timings.total = record.seconds.back();
  for (const std::string& note : lambdaNotes(record)) result->notes.push_back(note);
  result->iterations.push_back(std::move(record));
  session_.deliver(ended.scan, result);
}

}  // namespace spokelab
