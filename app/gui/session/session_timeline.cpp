// Records what the CPU's threads do while samples are spread.
#include "app/gui/session/session.h"
#include "engine/core/error.h"
#include "engine/nufft/tune/record_timeline.h"
#include "engine/recon/gridding.h"

namespace spokelab {

void Session::recordTimeline(const ReconOptions& options) {
  if (!needScan(tr("record a time line"))) return;
  jobs_.submit(
      JobKind::timeline, tr("Time line of %1").arg(QString::fromStdString(scan_->name)),
      [this, scan = scan_, options](const JobContext& context) -> JobQueue::Delivery {
        constexpr double tuneShare = 0.8;
        ReconOptions asked = options;
        asked.backend = "cpu";
        const ScanProblem problem = scanProblem(*scan, asked);
        NufftBackend* cpu = backendsFor(backends_, asked.backend).front();
        const TuneResult tuned = tune(std::span<NufftBackend* const>(&cpu, 1), tuneRequest(problem, asked),
                                      wisdom_.get(), context.progress.part(0, tuneShare));
        if (tuned.cancelled || tuned.best < 0) throw Cancelled{};
        auto timeline = std::make_shared<const Timeline>(spokelab::recordTimeline(
            *cpu, problem.problem, problem.points, tuned.candidates[std::size_t(tuned.best)].options,
            context.progress.part(tuneShare, 1)));
        return [this, timeline] { Q_EMIT timelineReady(timeline); };
      },
      commandFor("tune", options, {"--timeline", "timeline.json"}));
}

}  // namespace spokelab
