// Measurements in the slices: regions, lines, and a reference from a file.
#include <QAction>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>

#include "app/gui/window/main_window.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/compare/difference.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/measure_view.h"
#include "widgets/recon/history_list.h"

namespace spokelab {

void MainWindow::makeMeasureDock(QDockWidget* besides) {
  measurement_ = new Measurement(this);
  measure_ = new MeasureView;
  auto* place = addDock(QStringLiteral("measure"), tr("Measure"), measure_, Qt::BottomDockWidgetArea);
  tabifyDockWidget(besides, place);
  besides->raise();
  measure_->setMeasurement(measurement_);
  image_->setMeasurement(measurement_);
  comparison_->setMeasurement(measurement_);
  connect(image_, &ImagePanel::frameChanged, measure_, &MeasureView::setFrame);
  connect(image_, &ImagePanel::modeChanged, measure_, &MeasureView::setMode);
  connect(comparison_, &CompareView::frameChanged, measure_, &MeasureView::setFrame);
  connect(comparison_, &CompareView::modeChanged, measure_, &MeasureView::setMode);
  connect(measurement_, &Measurement::toolChanged, this, [place](SliceTool tool) {
    if (tool == SliceTool::cursor) return;
    place->show();
    place->raise();
  });
  connect(&session_, &Session::referenceReady, this, [this](const HistoryEntry& found) {
    HistoryEntry entry = found;
    const HistoryEntry* shown = history_->model()->find(history_->model()->shown());
    if (shown) entry.scan = shown->scan;
    const QString obstacle =
        shown ? differenceObstacle(shown->result->image.get(), entry.result->image.get()) : QString();
    if (!obstacle.isEmpty()) {
      const Index3 n = entry.result->image->size;
      showFailure({tr("Cannot compare with %1").arg(QString::fromStdString(entry.result->plan.description)),
                   tr("it has %1 × %2 × %3 pixels and %4 frame(s), unlike the result that is shown")
                       .arg(n[0])
                       .arg(n[1])
                       .arg(n[2])
                       .arg(entry.result->image->frames),
                   tr("Open an image of the same size")});
      return;
    }
    history_->model()->add(entry);
    if (!shown) return showResult(entry);
    setReference(entry.id, true);
    setComparing(true);
    updateActions();
  });
}

void MainWindow::openReference(const QString& file) {
  session_.openReference(file);
}

void MainWindow::chooseReference() {
  auto* dialog = new QFileDialog(this, tr("Open an image to compare with"),
                                 QSettings().value(QStringLiteral("files/folder")).toString(),
                                 tr("Images (*.nii *.nii.gz *.npy *.cfl);;All files (*)"));
  dialog->setObjectName(QStringLiteral("open-reference"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openReference);
  dialog->open();
}

// What is measured: the shown result, and the reference where it fits.
void MainWindow::updateMeasured() {
  if (!measure_) return;
  const HistoryModel& model = *history_->model();
  const HistoryEntry *shown = model.find(model.shown()), *reference = model.find(model.reference());
  measure_->setImages(shown ? shown->result->image : nullptr,
                      shown && reference ? reference->result->image : nullptr);
}

}  // namespace spokelab
