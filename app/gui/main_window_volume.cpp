// How the volume is drawn, in a dock of its own.
#include <QDockWidget>

#include "app/gui/main_window.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/volume_style_view.h"

namespace spokelab {

void MainWindow::makeVolumeDock(QDockWidget* besides) {
  auto* view = new VolumeStyleView;
  auto* place = addDock(QStringLiteral("volume"), tr("Volume"), view, Qt::BottomDockWidgetArea);
  tabifyDockWidget(besides, place);
  besides->raise();
  view->setVolumeStyle(image_->volumeStyle());
  connect(view, &VolumeStyleView::styleChanged, image_, &ImagePanel::setVolumeStyle);
  connect(image_, &ImagePanel::volumeStyleChanged, view, &VolumeStyleView::setVolumeStyle);
}

}  // namespace spokelab
