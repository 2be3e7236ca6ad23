#include "app/gui/features/timeline_dock.h"

#include <QDockWidget>

#include "app/gui/window/main_window.h"
#include "widgets/profile/timeline_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {

void addTimelineDock(MainWindow& window, QDockWidget* besides) {
  Session& session = window.session();
  auto* view = new TimelineView;
  auto* dock = new QDockWidget(MainWindow::tr("Scheduler"), &window);
  dock->setObjectName(QStringLiteral("timeline"));
  dock->setWidget(view);
  window.addDockWidget(Qt::BottomDockWidgetArea, dock);
  window.tabifyDockWidget(besides, dock);
  besides->raise();
  QObject::connect(view, &TimelineView::recordRequested, &window,
                   [&window] { window.session().recordTimeline(window.parameters()->options()); });
  QObject::connect(&session.jobs(), &JobQueue::jobChanged, view,
                   [&session, view] { view->setBusy(session.jobs().busy(JobKind::timeline)); });
  QObject::connect(&session, &Session::scanOpened, view, [view] { view->setTimeline(nullptr); });
  QObject::connect(&session, &Session::timelineReady, view,
                   [view, dock](const std::shared_ptr<const Timeline>& timeline) {
                     view->setTimeline(timeline);
                     dock->show();
                     dock->raise();
                   });
}

}  // namespace spokelab
