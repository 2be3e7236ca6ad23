// Iterative reconstruction in the window: docks of the running iterations, of the maps and of the off-resonance bench.
#include <QAction>
#include <QDockWidget>
#include <QMenu>

#include "app/gui/session/iteration_watch.h"
#include "app/gui/window/banner.h"
#include "app/gui/window/main_window.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/field_bench_view.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/jobs/iteration_view.h"
#include "widgets/recon/map_panel.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

void bringUp(QDockWidget* dock) {
  dock->show();
  dock->raise();
}

}  // namespace

void MainWindow::makeIterationDocks(QDockWidget* besides) {
  iterations_ = new IterationView;
  maps_ = new MapPanel;
  fieldBench_ = new FieldBenchView;
  const Qt::DockWidgetArea area = Qt::BottomDockWidgetArea;
  tabifyDockWidget(besides, addDock(QStringLiteral("iterations"), tr("Iterations"), iterations_, area));
  tabifyDockWidget(besides, addDock(QStringLiteral("maps"), tr("Maps"), maps_, area));
  tabifyDockWidget(besides, addDock(QStringLiteral("offResonance"), tr("Off-resonance"), fieldBench_, area));
  besides->raise();
  new IterationWatch(*iterations_, session_, this);

  connect(&session_, &Session::iterationsStarted, this,
          [this] { bringUp(dock(QStringLiteral("iterations"))); });
  connect(iterations_, &IterationView::largeImageReady, image_, &ImagePanel::setImage);
  // Whatever comes of them, the main views show what the list of results says.
  connect(&session_, &Session::iterationsEnded, this, [this] {
    const HistoryEntry* shown = history_->model()->find(history_->model()->shown());
    image_->setImage(shown ? shown->result->image : nullptr);
  });
  connect(&session_, &Session::scanOpened, this, [this] {
    maps_->setMaps(nullptr);
    fieldBench_->start();
    fieldBench_->finish();
  });
  connect(maps_, &MapPanel::mapsRequested, this, &MainWindow::loadMaps);
  connect(maps_, &MapPanel::optionEdited, this, [this](const QString& name, const QString& value) {
    editOption(name, value);
    if (maps_->maps() && name != QStringLiteral("shots")) loadMaps();  // as they now are
  });
  connect(parameters_, &ParameterPanel::optionsChanged, maps_, &MapPanel::setOptions);
  connect(&session_, &Session::mapsReady, this, [this](const std::shared_ptr<const ScanMaps>& maps) {
    maps_->setMaps(maps);
    bringUp(dock(QStringLiteral("maps")));
  });
  connect(&session_.jobs(), &JobQueue::jobChanged, maps_,
          [this] { maps_->setBusy(session_.jobs().busy(JobKind::maps)); });
  connect(fieldBench_, &FieldBenchView::runRequested, this, &MainWindow::benchField);
  connect(&session_, &Session::fieldBenchStarted, this, [this] {
    fieldBench_->start();
    bringUp(dock(QStringLiteral("offResonance")));
  });
  connect(&session_, &Session::fieldBenchRow, fieldBench_, &FieldBenchView::addRow);
  connect(&session_, &Session::fieldBenchEnded, fieldBench_, &FieldBenchView::finish);
}

void MainWindow::addIterationActions(QMenu* menu) {
  menu->addSeparator();
  menu->addAction(tr("Load &maps"), this, &MainWindow::loadMaps);
  menu->addAction(tr("Compare &field corrections"), this, &MainWindow::benchField);
  auto* reference = menu->addAction(tr("Compare with an &image file…"), Qt::CTRL | Qt::SHIFT | Qt::Key_R,
                                    this, &MainWindow::chooseReference);
  reference->setObjectName(QStringLiteral("action-reference"));
}

void MainWindow::loadMaps() {
  session_.loadMaps(parameters_->options());
}

void MainWindow::benchField() {
  session_.benchField(parameters_->options());
}

}  // namespace spokelab
