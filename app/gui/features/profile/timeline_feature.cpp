#include "app/gui/features/profile/timeline_feature.h"

#include <QAction>
#include <QFileDialog>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/measure/trace_json.h"
#include "engine/nufft/tune/record_timeline.h"
#include "engine/recon/run/scan_problem.h"
#include "widgets/profile/timeline/timeline_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind timelineJob{.name = "time line"}, traceJob{.name = "trace"};
constexpr double tuneShare = 0.8;  // of the progress bar; recording takes the rest

}  // namespace

TimelineFeature::TimelineFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), view_(new TimelineView) {
  addTab(views_, "timeline", tr("Time line"), view_);
  traceAction_ = makeAction(this, tr("Export Trace…"), "action-trace", {},
                            tr("Write when which part of the last reconstruction ran, for Perfetto or "
                               "chrome://tracing"));
  traceAction_->setEnabled(false);
  connect(traceAction_, &QAction::triggered, this, &TimelineFeature::askForTraceFile);
  connect(view_, &TimelineView::exportRequested, this, &TimelineFeature::askForTraceFile);
  connect(view_, &TimelineView::recordRequested, this, [this] { record(views_.parameters->options()); });
  connect(&session_.jobs(), &JobQueue::jobChanged, view_,
          [this] { view_->setBusy(session_.jobs().busy(timelineJob)); });
  connect(&session_, &Session::scanOpened, view_, [this] { view_->setTimeline(nullptr); });
  connect(this, &TimelineFeature::ready, view_, [this](const std::shared_ptr<const Timeline>& timeline) {
    view_->setTimeline(timeline);
    bringUp(view_);
  });
}

void TimelineFeature::record(const ReconOptions& options) {
  if (!session_.needScan(tr("record a time line"))) return;
  const auto scan = session_.scan();
  session_.jobs().submit(
      timelineJob, tr("Time line of %1").arg(QString::fromStdString(scan->name)),
      [this, &session = session_, scan, options](const JobContext& context) -> JobQueue::Delivery {
        ReconOptions asked = options;
        asked.backend = "cpu";
        const ScanProblem problem = scanProblem(*scan, asked);
        NufftBackend* cpu = backendsFor(session.backends(), asked.backend, asked.devices).front();
        const TuneResult tuned = tune(std::span<NufftBackend* const>(&cpu, 1), tuneRequest(problem, asked),
                                      session.wisdom(), context.progress.part(0, tuneShare));
        if (tuned.cancelled || tuned.best < 0) throw Cancelled{};
        auto timeline = std::make_shared<const Timeline>(recordTimeline(
            *cpu, problem.problem, problem.points, tuned.candidates[std::size_t(tuned.best)].options,
            context.progress.part(tuneShare, 1)));
        return [this, timeline] { Q_EMIT ready(timeline); };
      },
      session_.commandFor("tune", options, {"--timeline", "timeline.json"}));
}

void TimelineFeature::takeTrace(const QString& title, const std::shared_ptr<const Trace>& trace) {
  traceTitle_ = title;
  trace_ = trace;
  traceAction_->setEnabled(trace_ != nullptr);
  view_->setTrace(title, trace);
}

void TimelineFeature::askForTraceFile() {
  auto* dialog = dialogToSave(views_.window, tr("Export the trace"), "save-trace",
                              QStringLiteral("trace.json"), tr("Trace (*.json)"), QStringLiteral("json"));
  connect(dialog, &QFileDialog::fileSelected, this, &TimelineFeature::saveTrace);
  dialog->open();
}

void TimelineFeature::saveTrace(const QString& file) {
  if (!trace_) return;
  session_.jobs().submit(traceJob, tr("Export the trace"),
                         [this, file, title = traceTitle_.toStdString(),
                          trace = trace_](const JobContext& context) -> JobQueue::Delivery {
                           writeFileAtomically(file.toStdString(), traceToJson(*trace, title),
                                               context.progress);
                           return [this, file] { Q_EMIT session_.saved(file); };
                         });
}

}  // namespace spokelab
