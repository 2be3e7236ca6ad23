#include "app/gui/features/recon/density_feature.h"

#include <QAction>
#include <QDialog>
#include <QMainWindow>
#include <QVBoxLayout>

#include "app/gui/session/command_text.h"
#include "engine/recon/explore/density_comparison.h"
#include "engine/recon/explore/point_spread.h"
#include "widgets/recon/density_view.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind compareJob{.name = "density", .urgent = true},
    pointSpreadJob{.name = "point spread", .urgent = true};

}  // namespace

DensityFeature::DensityFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent),
      action_(makeAction(this, tr("Compare &density weights"), "action-density")) {
  connect(action_, &QAction::triggered, this, [this] { compare(views_.parameters->options()); });
  connect(this, &DensityFeature::compared, this, &DensityFeature::showTrials);
}

void DensityFeature::compare(const ReconOptions& options) {
  if (!session_.needScan(tr("compare density weights"))) return;
  const auto scan = session_.scan();
  session_.jobs().submit(
      compareJob, tr("Density weights of %1").arg(QString::fromStdString(scan->name)),
      [this, &session = session_, scan, options](const JobContext& context) -> JobQueue::Delivery {
        Backend& backend = *backendsFor(session.backends(), options.backend, options.devices).front();
        auto trials = std::make_shared<DensityTrials>();
        trials->scan = QString::fromStdString(scan->name);
        trials->dims = scan->dims();
        trials->trials = compareDensity(*scan, options, {}, backend, context.progress);
        return [this, trials] { Q_EMIT compared(trials); };
      },
      session_.commandFor("density", options));
}

void DensityFeature::pointSpread() {
  pointSpread(views_.parameters->options());
}

void DensityFeature::pointSpread(const ReconOptions& options) {
  if (!session_.needScan(tr("make a point spread function"))) return;
  const auto scan = session_.scan();
  session_.jobs().submit(
      pointSpreadJob, tr("Point spread function of %1").arg(QString::fromStdString(scan->name)),
      [this, &session = session_, scan, options](const JobContext& context) -> JobQueue::Delivery {
        Backend& backend = *backendsFor(session.backends(), options.backend, options.devices).front();
        auto spread =
            std::make_shared<ScanSpread>(scanPointSpread(*scan, options, backend, context.progress));
        auto result = std::make_shared<Reconstruction>();
        result->image = std::shared_ptr<const Image>(spread, &spread->spread.image);
        result->options = options;
        result->origin = ResultOrigin::pointSpread;
        result->plan.description = "point spread function, " + spread->samples;
        result->density = spread->density;
        result->notes.push_back(describe(spread->spread, scan->dims()));
        return [this, scan, result] { showPointSpread(scan, result); };
      },
      session_.commandFor("density", options, spreadArguments(options)));
}

void DensityFeature::showPointSpread(const std::shared_ptr<const Scan>& scan,
                                     const std::shared_ptr<const Reconstruction>& result) {
  HistoryEntry entry = session_.newEntry(scan, result);
  entry.scan = tr("%1, point spread function").arg(entry.scan);
  session_.addResult(entry);
  Q_EMIT pointSpreadReady(entry);
  session_.show(entry.id);
  for (const std::string& note : result->notes)
    views_.log->append(LogLevel::information, QString::fromStdString(note));
}

void DensityFeature::showTrials(const std::shared_ptr<const DensityTrials>& trials) {
  const QString name = QStringLiteral("density");
  auto* dialog = views_.window->findChild<QDialog*>(name);
  if (!dialog) {
    dialog = new QDialog(views_.window);
    dialog->setObjectName(name);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(new DensityView);
  }
  dialog->setWindowTitle(tr("Density weights of %1").arg(trials->scan));
  dialog->findChild<DensityView*>()->setTrials(trials);
  dialog->show();
  dialog->raise();
}

}  // namespace spokelab
