#include "app/gui/window/main_window.h"

#include <QAction>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QToolBar>
#include <QVBoxLayout>

#include "app/gui/document/workspace.h"
#include "app/gui/features/banner.h"
#include "app/gui/features/recon/reconstruct_feature.h"
#include "app/gui/features/window_layout.h"
#include "app/gui/window/command_palette.h"
#include "app/gui/window/device_watch.h"
#include "app/gui/window/features.h"
#include "app/gui/window/help_menu.h"
#include "app/gui/window/layout_menu.h"
#include "app/gui/window/theme_menu.h"
#include "widgets/image/image_panel.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/explorer_view.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/parameters/plan_sliders.h"
#include "widgets/recon/parameters/plan_view.h"
#include "widgets/recon/scan/scan_panel.h"
#include "widgets/trajectory/selection_bar.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

constexpr int minTrajectoryHeight = 170;
constexpr QSize initialSize(1600, 1000);

// `large` takes the height that is left.
QWidget* stacked(QWidget* above, QWidget* below, const QWidget* large) {
  auto* both = new QWidget;
  auto* column = new QVBoxLayout(both);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  for (QWidget* part : {above, below}) column->addWidget(part, part == large ? 1 : 0);
  return both;
}

}  // namespace

MainWindow::MainWindow(Session& session, const std::vector<BackendBadge>& badges, bool remember,
                       QWidget* parent)
    : QMainWindow(parent),
      session_(session),
      remember_(remember),
      views_(makeViews(*this, session.results())) {
  setObjectName(QStringLiteral("window"));
  setWindowTitle(QStringLiteral("Spokelab"));
  setAcceptDrops(true);
  setCentralWidget(stacked(views_.banner, views_.centre, views_.centre));
  makeDocks();
  features_ = new Features(session_, views_, remember_, this);
  offerBackends(*views_.parameters, session_.backends());
  makeToolBar(badges);
  makeMenus();
  views_.layout->begin(initialSize);
  restore();
}

// Features end before the views that they use, and their jobs before them.
MainWindow::~MainWindow() {
  session_.jobs().cancelAll();
  delete features_;
}

void MainWindow::open(const QString& file) {
  features_->open(file);
}

QDockWidget* MainWindow::dock(const QString& name) const {
  return findChild<QDockWidget*>(name);
}

// Features add further docks beside the charts.
void MainWindow::makeDocks() {
  setDockNestingEnabled(true);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);  // parameters have the full height
  views_.trajectory->setMinimumHeight(minTrajectoryHeight);
  QWidget* trajectory = stacked(views_.trajectory, views_.selection, views_.trajectory);
  QWidget* parameters = stacked(views_.sliders, views_.parameters, views_.parameters);
  addDock(views_, "scan", tr("Scan"), views_.scan, Qt::LeftDockWidgetArea);
  addDock(views_, "trajectory", tr("Trajectory"), trajectory, Qt::LeftDockWidgetArea);
  addDock(views_, "results", tr("Results"), views_.history, Qt::LeftDockWidgetArea);
  auto* asked = addDock(views_, "parameters", tr("Parameters"), parameters, Qt::RightDockWidgetArea);
  auto* plan = addDock(views_, "plan", tr("Plan"), views_.plan, Qt::RightDockWidgetArea);
  addDock(views_, "jobs", tr("Jobs"), views_.jobs, Qt::RightDockWidgetArea);
  addDock(views_, "profile", tr("Profile"), views_.charts, Qt::BottomDockWidgetArea);
  tabifyDockWidget(asked, plan);
  asked->raise();
  addTab(views_, "explorer-dock", tr("Explorer"), views_.explorer);
  addTab(views_, "log", tr("Log"), new LogPanel(views_.log));
}

void MainWindow::makeToolBar(const std::vector<BackendBadge>& badges) {
  auto* bar = addToolBar(tr("Tools"));
  bar->setObjectName(QStringLiteral("tools"));
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  features_->fillToolBar(*bar);
  guide_ = makeGuideAction(*this);
  bar->addAction(guide_);
  addBadges(*bar, badges, session_.backends());
}

void MainWindow::makeMenus() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  QMenu* run = menuBar()->addMenu(tr("&Reconstruction"));
  QMenu* view = menuBar()->addMenu(tr("&View"));
  int place = 0;
  for (QDockWidget* dock : findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
    view->addAction(makeDockAction(dock, place++));
  }
  view->addSeparator();
  view->addMenu((new LayoutMenu(*views_.layout, remember_, this))->menu());
  view->addActions(views_.layout->actions());
  view->addSeparator();
  addThemeMenus(*view, remember_, this);
  view->addSeparator();
  features_->fillMenus({file, edit, run, view});
  addPalette(*this, *edit);
  file->addSeparator();
  file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close)->setObjectName("action-quit");
  fillHelpMenu(*this, menuBar()->addMenu(tr("&Help")), guide_);
}

void MainWindow::restore() {
  if (!remember_) return;
  const QSettings settings;
  features_->reconstruct->automaticAction()->setChecked(
      settings.value(QStringLiteral("window/reconstructOnOpen"), true).toBool());
  views_.layout->restore(settings.value(QStringLiteral("window/geometry")).toByteArray(),
                         settings.value(QStringLiteral("window/state")).toByteArray());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const bool isOwn = event->source() != nullptr;  // dragged out of this window
  if (!isOwn && event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const auto urls = event->mimeData()->urls();
  if (urls.isEmpty()) return;
  event->acceptProposedAction();
  if (!urls.front().isLocalFile()) {
    Q_EMIT session_.failed({tr("Cannot open what was dropped"), tr("it is not a file on this machine"),
                            tr("Download it first")});
    return;
  }
  if (urls.size() > 1)
    views_.log->append(LogLevel::warning,
                       tr("%1 files were dropped; the first one is opened").arg(urls.size()));
  open(urls.front().toLocalFile());
}

void MainWindow::closeEvent(QCloseEvent* event) {
  session_.jobs().cancelAll();
  features_->workspace->close();
  if (remember_) {
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), views_.layout->geometry());
    settings.setValue(QStringLiteral("window/state"), views_.layout->docks());
    settings.setValue(QStringLiteral("window/reconstructOnOpen"),
                      features_->reconstruct->automaticAction()->isChecked());
  }
  QMainWindow::closeEvent(event);
}

// Qt also gives the focus to widgets hidden behind another dock; this skips them.
bool MainWindow::focusNextPrevChild(bool next) {
  const QWidget* first = nullptr;
  while (QMainWindow::focusNextPrevChild(next)) {
    if (!isBehind(focusWidget()) || focusWidget() == first) return true;
    if (!first) first = focusWidget();
  }
  return false;
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (!focusWidget()) views_.centre->currentWidget()->setFocus();
  views_.layout->shown();
}

}  // namespace spokelab
