// Iterations that can be watched, the maps they use, and the bench of field corrections.
#include "app/gui/session/iteration_control.h"
#include "app/gui/session/session.h"
#include "engine/core/error.h"
#include "engine/recon/gridding.h"

namespace spokelab {

void Session::watchIterations(int job, const std::shared_ptr<const Scan>& scan, const ReconOptions& options,
                              std::shared_ptr<IterationControl> control) {
  iterating_ = {job, scan, options, std::move(control)};
  Q_EMIT iterationsStarted(QString::fromStdString(scan->name), iterating_.control);
}

// A job of ours came to an end: what a cancel leaves of the iterations is their last image.
void Session::jobEnded(const JobState& state) {
  if (!state.finished()) return;
  if (state.id == benching_) {
    benching_ = 0;
    Q_EMIT fieldBenchEnded();
  }
  if (state.id != iterating_.job || !iterating_.control) return;
  const Iterating ended = std::move(iterating_);
  iterating_ = {};
  if (state.status == JobStatus::failed) return Q_EMIT iterationsEnded(tr("failed"));
  if (state.status == JobStatus::done) return;  // told with the result
  int iteration = -1;
  const auto image = ended.control->lastImage(iteration);
  if (!image) return Q_EMIT iterationsEnded(tr("cancelled before the first image"));
  Q_EMIT iterationsEnded(tr("cancelled; the image of iteration %1 is kept").arg(iteration));
  auto result = std::make_shared<Reconstruction>();
  result->image = image;
  result->options = ended.options;
  result->cancelled = true;
  result->plan.options = ended.options.nufft;
  result->plan.description = "cancelled, image of iteration " + std::to_string(iteration);
  result->notes.push_back(result->plan.description);
  IterationRecord record;
  record.ending = "cancelled";
  for (const IterationPoint& point : ended.control->points()) {
    record.frame = point.frame;
    record.slice = point.slice;
    record.residuals.push_back(point.residual);
    record.seconds.push_back(point.seconds);
  }
  if (!record.seconds.empty()) result->seconds = record.seconds.back();
  result->iterations.push_back(std::move(record));
  deliver(ended.scan, result);
}

void Session::endIterations(const Reconstruction& result) {
  if (result.iterations.empty()) return;
  const IterationRecord& last = result.iterations.back();
  Q_EMIT iterationsEnded(
      tr("iteration %1: %2")
          .arg(QString::number(last.residuals.size()), QString::fromStdString(last.ending)));
}

void Session::loadMaps(const ReconOptions& options) {
  if (!needScan(tr("load maps"))) return;
  const auto scan = scan_;
  jobs_.submit(
      JobKind::maps, tr("Maps of %1").arg(QString::fromStdString(scan->name)),
      [this, scan, options](const JobContext& context) -> JobQueue::Delivery {
        Backend& backend = *backendsFor(backends_, options.backend).front();
        auto maps = std::make_shared<const ScanMaps>(scanMaps(backend, *scan, options, context.progress));
        return [this, maps] { Q_EMIT mapsReady(maps); };
      },
      commandFor("maps", options));
}

void Session::benchField(const ReconOptions& options) {
  if (!needScan(tr("compare field corrections"))) return;
  const auto scan = scan_;
  benching_ = jobs_.submit(
      JobKind::fieldBench, tr("Field corrections of %1").arg(QString::fromStdString(scan->name)),
      [this, scan, options](const JobContext& context) -> JobQueue::Delivery {
        Backend& backend = *backendsFor(backends_, options.backend).front();
        const auto stop = context.progress.stopToken();
        benchFieldCorrection(backend, *scan, options, nullptr, context.progress,
                             [this, stop](const FieldBenchRow& row) {
                               // the session outlives its worker; a cancelled run's rows are dropped
                               QMetaObject::invokeMethod(
                                   this,
                                   [this, stop, row] {
                                     if (!stop.stop_requested()) Q_EMIT fieldBenchRow(row);
                                   },
                                   Qt::QueuedConnection);
                             });
        return {};
      },
      commandFor("off-resonance", options));
  Q_EMIT fieldBenchStarted();
}

}  // namespace spokelab
