#include "app/gui/features/recon/iterations_feature.h"

#include <QAction>
#include <QPointer>

#include "app/gui/features/recon/iteration_watch.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/recon/explore/field_bench.h"
#include "engine/recon/explore/scan_maps.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/field_bench_view.h"
#include "widgets/recon/jobs/iteration_view.h"
#include "widgets/recon/map_panel.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind mapsJob{.name = "maps"}, benchJob{.name = "field bench"};

}  // namespace

IterationsFeature::IterationsFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent),
      iterations_(new IterationView),
      maps_(new MapPanel),
      bench_(new FieldBenchView) {
  addTab(views_, "iterations", tr("Iterations"), iterations_);
  addTab(views_, "maps", tr("Maps"), maps_);
  addTab(views_, "offResonance", tr("Off-resonance"), bench_);
  mapsAction_ = makeAction(this, tr("Load &maps"), "action-load-maps");
  benchAction_ = makeAction(this, tr("Compare &field corrections"), "action-compare-fields");
  connect(mapsAction_, &QAction::triggered, this, &IterationsFeature::loadMaps);
  connect(benchAction_, &QAction::triggered, this, &IterationsFeature::benchField);
  connectIterations();
  connectMaps();
  connectBench();
}

void IterationsFeature::connectIterations() {
  new IterationWatch(*iterations_, session_, this);
  connect(&session_, &Session::iterationsStarted, this, [this] { announce(views_, iterations_); });
  connect(&session_, &Session::lambdaChanged, this, [this](double lambda) {
    Q_EMIT optionEdited(QStringLiteral("lambda"), QString::fromStdString(exactNumberText(lambda)));
  });
  connect(iterations_, &IterationView::largeImageReady, views_.image, &ImagePanel::setImage);
  // When iterations end, the main views show the result that the list marks as shown.
  connect(&session_, &Session::iterationsEnded, this, [this] {
    const HistoryEntry* shown = session_.shown();
    views_.image->setImage(shown ? shown->result->image : nullptr);
  });
}

void IterationsFeature::connectMaps() {
  connect(&session_, &Session::scanOpened, this, [this] { maps_->setMaps(nullptr); });
  connect(maps_, &MapPanel::overRequested, this, &IterationsFeature::overRequested);
  connect(maps_, &MapPanel::mapsRequested, this, &IterationsFeature::loadMaps);
  connect(maps_, &MapPanel::optionEdited, this, [this](const QString& name, const QString& value) {
    Q_EMIT optionEdited(name, value);
    if (maps_->maps() && name != QStringLiteral("shots")) loadMaps();  // as they now are
  });
  connect(views_.parameters, &ParameterPanel::optionsChanged, maps_, &MapPanel::setOptions);
  connect(&session_.jobs(), &JobQueue::jobChanged, maps_,
          [this] { maps_->setBusy(session_.jobs().busy(mapsJob)); });
}

void IterationsFeature::connectBench() {
  connect(&session_, &Session::scanOpened, this, [this] {
    bench_->start();
    bench_->finish();
  });
  connect(bench_, &FieldBenchView::runRequested, this, &IterationsFeature::benchField);
  connect(&session_.jobs(), &JobQueue::jobChanged, this, [this](const JobState& state) {
    if (!state.finished() || state.id != benching_) return;
    benching_ = 0;
    bench_->finish();
    Q_EMIT benchEnded();
  });
}

void IterationsFeature::loadMaps() {
  if (!session_.needScan(tr("load maps"))) return;
  const ReconOptions options = views_.parameters->options();
  const auto scan = session_.scan();
  session_.jobs().submit(
      mapsJob, tr("Maps of %1").arg(QString::fromStdString(scan->name)),
      [this, &session = session_, scan, options](const JobContext& context) -> JobQueue::Delivery {
        Backend& backend = *backendsFor(session.backends(), options.backend, options.devices).front();
        auto maps = std::make_shared<const ScanMaps>(scanMaps(backend, *scan, options, context.progress));
        return [this, maps] {
          maps_->setMaps(maps);
          bringUp(maps_);
          Q_EMIT mapsReady(maps);
        };
      },
      session_.commandFor("maps", options));
}

void IterationsFeature::benchField() {
  if (!session_.needScan(tr("compare field corrections"))) return;
  const ReconOptions options = views_.parameters->options();
  const auto scan = session_.scan();
  const QPointer<FieldBenchView> view(bench_);
  benching_ = session_.jobs().submit(
      benchJob, tr("Field corrections of %1").arg(QString::fromStdString(scan->name)),
      [&session = session_, view, scan, options](const JobContext& context) -> JobQueue::Delivery {
        Backend& backend = *backendsFor(session.backends(), options.backend, options.devices).front();
        // Rows reach the window's thread as they arrive; rows of a cancelled run are dropped.
        const auto seen = [&session, view, stop = context.progress.stopToken()](const FieldBenchRow& row) {
          QMetaObject::invokeMethod(
              &session,
              [view, stop, row] {
                if (view && !stop.stop_requested()) view->addRow(row);
              },
              Qt::QueuedConnection);
        };
        benchFieldCorrection(backend, *scan, options, nullptr, context.progress, seen);
        return {};
      },
      session_.commandFor("off-resonance", options));
  bench_->start();
  bringUp(bench_);
}

}  // namespace spokelab
