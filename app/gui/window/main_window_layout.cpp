// What is where: views, docks, tool bar, menus.
#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QStackedWidget>
#include <QToolBar>
#include <QVBoxLayout>

#include "app/gui/features/timeline_dock.h"
#include "app/gui/features/tools.h"
#include "app/gui/window/banner.h"
#include "app/gui/window/cheat_sheet.h"
#include "app/gui/window/diagnostics.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/theme.h"
#include "engine/core/version.h"
#include "engine/scan/read/read_scan.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/image_panel.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/parameters/plan_view.h"
#include "widgets/recon/scan/scan_panel.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

constexpr int leftWidth = 310, rightWidth = 330, bottomHeight = 290, logWidth = 300;
constexpr int leftHeights[] = {190, 340, 110};   // scan, trajectory, results
constexpr int rightHeights[] = {300, 250, 100};  // parameters, plan, jobs
constexpr QSize firstSize(1600, 1000);

QLabel* makeBadge(const BackendBadge& badge) {
  // What is missing is told in the tool tip: the badge itself stays short.
  const QString text = QString::fromStdString(badge.text);
  auto* label = new QLabel(badge.usable ? text : MainWindow::tr("no GPU"));
  label->setProperty("role", "badge");
  label->setProperty("usable", badge.usable);
  label->setToolTip(text);
  return label;
}

}  // namespace

void MainWindow::makeViews() {
  image_ = new ImagePanel;
  image_->setEmptyText(tr("Open a scan, drop one here, or take the demo"));
  comparison_ = new CompareView;
  centre_ = new QStackedWidget;
  centre_->addWidget(image_);
  centre_->addWidget(comparison_);
  trajectory_ = new TrajectoryView;
  charts_ = new ChartPanel;
  history_ = new HistoryList;
  jobs_ = new JobList;
  log_ = new LogView;
  log_->setAcceptDrops(false);
  parameters_ = new ParameterPanel;
  plan_ = new PlanView;
  scanPanel_ = new ScanPanel;
  banner_ = new Banner;

  QMap<QString, QStringList> choices;
  for (const DecisionTopic& topic : decisionTopics()) {
    for (const auto& choice : topic.choices) {
      choices[QString::fromStdString(topic.topic)] << QString::fromStdString(choice);
    }
  }
  scanPanel_->setChoices(choices);

  auto* centre = new QWidget;
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(banner_);
  layout->addWidget(centre_, 1);
  setCentralWidget(centre);
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* widget,
                                 Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setWidget(widget);
  addDockWidget(area, dock);
  return dock;
}

void MainWindow::makeDocks() {
  setDockNestingEnabled(true);
  addDock(QStringLiteral("scan"), tr("Scan"), scanPanel_, Qt::LeftDockWidgetArea);
  addDock(QStringLiteral("trajectory"), tr("Trajectory"), makeTrajectory(), Qt::LeftDockWidgetArea);
  addDock(QStringLiteral("results"), tr("Results"), history_, Qt::LeftDockWidgetArea);
  addDock(QStringLiteral("parameters"), tr("Parameters"), makeParameters(), Qt::RightDockWidgetArea);
  addDock(QStringLiteral("plan"), tr("Plan"), plan_, Qt::RightDockWidgetArea);
  addDock(QStringLiteral("jobs"), tr("Jobs"), jobs_, Qt::RightDockWidgetArea);
  auto* profile = addDock(QStringLiteral("profile"), tr("Profile"), charts_, Qt::BottomDockWidgetArea);
  auto* log = addDock(QStringLiteral("log"), tr("Log"), new LogPanel(log_), Qt::BottomDockWidgetArea);
  splitDockWidget(profile, log, Qt::Horizontal);
  makeExplorerDock(profile);
  makeIterationDocks(profile);
  addTimelineDock(*this, profile);
  makeMeasureDock(profile);
  makeStageDock(profile);
  makeVolumeDock(profile);
  resize(firstSize);
}

void MainWindow::defaultSizes() {
  const auto docks = [this](std::initializer_list<const char*> names) {
    QList<QDockWidget*> list;
    for (const char* name : names) list << dock(QString::fromUtf8(name));
    return list;
  };
  const auto sizes = [](const auto& values) { return QList<int>(std::begin(values), std::end(values)); };
  resizeDocks(docks({"scan", "parameters"}), {leftWidth, rightWidth}, Qt::Horizontal);
  resizeDocks(docks({"profile"}), {bottomHeight}, Qt::Vertical);
  resizeDocks(docks({"scan", "trajectory", "results"}), sizes(leftHeights), Qt::Vertical);
  resizeDocks(docks({"parameters", "plan", "jobs"}), sizes(rightHeights), Qt::Vertical);
  resizeDocks(docks({"profile", "log"}), {width() - logWidth, logWidth}, Qt::Horizontal);
}

void MainWindow::makeActions(const std::vector<BackendBadge>& badges) {
  auto* bar = addToolBar(tr("Tools"));
  bar->setObjectName(QStringLiteral("tools"));
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  const auto make = [&](const char* picture, const QString& text, const QKeySequence& key,
                        const QString& help, auto&& slot) {
    auto* action = bar->addAction(icon(QString::fromUtf8(picture)), text, this, slot);
    action->setObjectName(QStringLiteral("action-") + QString::fromUtf8(picture));
    action->setShortcut(key);
    action->setToolTip(
        key.isEmpty() ? help : QStringLiteral("%1 (%2)").arg(help, key.toString(QKeySequence::NativeText)));
    return action;
  };
  open_ = make("open", tr("Open"), QKeySequence::Open, tr("Open a scan"), [this] { chooseFile(); });
  demo_ = make("demo", tr("Demo"), Qt::CTRL | Qt::Key_D, tr("Open the built-in scan"),
               [this] { open(QStringLiteral("demo")); });
  bar->addSeparator();
  reconstruct_ =
      make("reconstruct", tr("Reconstruct"), Qt::CTRL | Qt::Key_R,
           tr("Tune a plan for the parameters and reconstruct with it"), [this] { reconstruct(); });
  cancel_ = make("cancel", tr("Cancel"), Qt::Key_Escape, tr("Cancel all jobs"),
                 [this] { session_.jobs().cancelAll(); });
  sweep_ = make("sweep", tr("Sweep"), Qt::CTRL | Qt::Key_P,
                tr("Time plans over oversampling ratio and kernel width"), [this] { sweep(); });
  compare_ = make("compare", tr("Compare"), Qt::CTRL | Qt::Key_K,
                  tr("Two results side by side, and their difference"),
                  [this] { setComparing(compare_->isChecked()); });
  compare_->setCheckable(true);
  bar->addSeparator();
  save_ = make("save", tr("Save image"), QKeySequence::Save, tr("Save the image that is shown"),
               [this] { saveImage(0); });
  save_->setObjectName(QStringLiteral("action-save"));
  report_ =
      make("report", tr("Report"), Qt::CTRL | Qt::Key_E,
           tr("Write image, charts and numbers of this result into a folder"), [this] { saveReport(); });
  guide_ =
      make("help", tr("Guide"), QKeySequence::HelpContents, tr("The user's guide"), [this] { showHelp(); });
  auto* space = new QWidget;
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(space);
  for (const BackendBadge& badge : badges) {
    auto* holder = new QWidget;
    auto* layout = new QHBoxLayout(holder);
    layout->setContentsMargins(3, 0, 3, 0);
    layout->addWidget(makeBadge(badge), 0, Qt::AlignVCenter);
    bar->addWidget(holder);
  }
  automatic_ = new QAction(tr("Reconstruct when a scan is opened"), this);
  automatic_->setCheckable(true);
  automatic_->setChecked(true);
}

void MainWindow::makeMenus() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  file->addAction(open_);
  recent_ = file->addMenu(tr("Open &recent"));
  connect(recent_, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
  file->addAction(demo_);
  file->addSeparator();
  file->addAction(save_);
  file->addAction(report_);
  file->addSeparator();
  file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);

  QMenu* run = menuBar()->addMenu(tr("&Reconstruction"));
  run->addActions({reconstruct_, sweep_, compare_, cancel_});
  addIterationActions(run);
  run->addSeparator();
  run->addAction(automatic_);

  QMenu* view = menuBar()->addMenu(tr("&View"));
  for (QDockWidget* dock : findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
    view->addAction(dock->toggleViewAction());
  }
  view->addSeparator();
  view->addAction(tr("Default layout"), this, [this] {
    restoreState(defaultState_);
    defaultSizes();
  });
  addTools(*this, {file, run, view});
  makeWorkspace(file);

  QMenu* help = menuBar()->addMenu(tr("&Help"));
  help->addAction(guide_);
  addCheatSheet(*this, help);
  addDiagnostics(*this, help);
  help->addAction(tr("&About Spokelab"), this, [this] {
    auto* about =
        new QMessageBox(QMessageBox::NoIcon, tr("About Spokelab"),
                        tr("<b>Spokelab %1</b><p>A workbench for non-Cartesian MRI and the non-uniform "
                           "FFT.</p><p>Qt %2, VTK, QCustomPlot, FFTW, oneTBB, HDF5, ISMRMRD.</p>")
                            .arg(QString::fromUtf8(version()), QString::fromUtf8(qVersion())),
                        QMessageBox::Close, this);
    about->setAttribute(Qt::WA_DeleteOnClose);
    about->setIconPixmap(icon(QStringLiteral("spokelab")).pixmap(64, 64));
    about->open();
  });
}

void MainWindow::restore() {
  defaultState_ = saveState();
  if (!remember_) return;
  const QSettings settings;
  automatic_->setChecked(settings.value(QStringLiteral("window/reconstructOnOpen"), true).toBool());
  if (!settings.contains(QStringLiteral("window/geometry"))) return;
  restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
  sized_ = restoreState(settings.value(QStringLiteral("window/state")).toByteArray());
}

}  // namespace spokelab
