#include "app/gui/features/profile/timeline_feature.h"

#include "engine/core/error.h"
#include "engine/nufft/tune/record_timeline.h"
#include "engine/recon/scan_problem.h"
#include "widgets/profile/timeline_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind timelineJob{.name = "time line"};
constexpr double tuneShare = 0.8;  // of the progress bar; recording takes the rest

}  // namespace

TimelineFeature::TimelineFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), view_(new TimelineView) {
  addTab(views_, "timeline", tr("Scheduler"), view_);
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
        NufftBackend* cpu = backendsFor(session.backends(), asked.backend).front();
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

}  // namespace spokelab
