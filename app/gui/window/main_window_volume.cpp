// How the volume is drawn, in a dock of its own, and its surface in a file.
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QSettings>

#include "app/gui/window/main_window.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/volume/volume_style_view.h"

namespace spokelab {

void MainWindow::makeVolumeDock(QDockWidget* besides) {
  auto* view = new VolumeStyleView;
  auto* place = addDock(QStringLiteral("volume"), tr("Volume"), view, Qt::BottomDockWidgetArea);
  tabifyDockWidget(besides, place);
  besides->raise();
  view->setVolumeStyle(image_->volumeStyle());
  connect(view, &VolumeStyleView::styleChanged, image_, &ImagePanel::setVolumeStyle);
  connect(image_, &ImagePanel::volumeStyleChanged, view, &VolumeStyleView::setVolumeStyle);
  connect(image_, &ImagePanel::volumeReady, view, &VolumeStyleView::setScale);
  connect(image_, &ImagePanel::surfaceReady, view, [view](double, qint64 triangles) {
    view->setSurfaceNote(triangles > 0 ? tr("%1 triangles").arg(QLocale().toString(triangles))
                                       : tr("nothing in the image crosses this level"));
  });
  connect(view, &VolumeStyleView::saveRequested, this, [this, view] {
    auto* dialog = new QFileDialog(this, tr("Save the surface"),
                                   QSettings().value(QStringLiteral("files/folder")).toString(),
                                   tr("Meshes (*.stl *.ply)"));
    dialog->setObjectName(QStringLiteral("save-surface"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("stl"));
    dialog->selectFile(QStringLiteral("surface.stl"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, view](const QString& file) {
      session_.saveSurface(image_->image(), image_->frame(), view->level(), view->volumeStyle().clip,
                           file.toStdString());
    });
    dialog->open();
  });
}

}  // namespace spokelab
