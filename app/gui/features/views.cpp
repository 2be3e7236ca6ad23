#include "app/gui/features/views.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QFileDialog>
#include <QMainWindow>
#include <QSettings>
#include <QStackedWidget>

#include <array>

#include "app/gui/features/banner.h"
#include "app/gui/features/window_layout.h"
#include "widgets/core/scroll_place.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/display/measurement.h"
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

// The keys go to the first widget that takes them.
void focusInto(QDockWidget& dock) {
  for (QWidget* next = dock.nextInFocusChain(); next != &dock; next = next->nextInFocusChain())
    if (dock.isAncestorOf(next) && next->isVisibleTo(&dock) && next->isEnabled() &&
        (next->focusPolicy() & Qt::TabFocus) && !qobject_cast<QAbstractButton*>(next)) {
      next->setFocus(Qt::ShortcutFocusReason);
      return;
    }
}

// Knows whether its key or the menu asked.
class DockAction : public QAction {
 public:
  using QAction::QAction;
  bool isByKey() const { return byKey_; }

 protected:
  bool event(QEvent* event) override {
    if (event->type() != QEvent::Shortcut) return QAction::event(event);  // others come while it is handled
    byKey_ = true;
    const bool handled = QAction::event(event);
    byKey_ = false;
    return handled;
  }

 private:
  bool byKey_ = false;
};

// Alt and a digit for nine docks, Ctrl and Alt for the next nine, Alt and Shift for others.
QKeySequence dockKey(int place) {
  constexpr int digits = 9;
  constexpr std::array<Qt::KeyboardModifiers, 3> rows = {
      Qt::AltModifier, Qt::ControlModifier | Qt::AltModifier, Qt::AltModifier | Qt::ShiftModifier};
  const auto row = std::size_t(place / digits);
  if (row >= rows.size()) return {};
  return QKeySequence(QKeyCombination(rows[row], Qt::Key(Qt::Key_1 + place % digits)));
}

QDockWidget* dockOf(QWidget* view) {
  for (QWidget* widget = view; widget; widget = widget->parentWidget())
    if (auto* dock = qobject_cast<QDockWidget*>(widget)) return dock;
  return nullptr;
}

}  // namespace

bool Views::comparing() const {
  return centre->currentWidget() == comparison;
}

Views makeViews(QMainWindow& window, HistoryModel& results) {
  Views views;
  views.window = &window;
  views.layout = new WindowLayout(window);
  views.banner = new Banner;
  views.centre = new QStackedWidget;
  views.image = new ImagePanel;
  views.comparison = new CompareView;
  views.centre->addWidget(views.image);
  views.centre->addWidget(views.comparison);
  views.measurement = new Measurement(&window);
  views.scan = new ScanPanel;
  views.trajectory = new TrajectoryView;
  views.selection = new SelectionBar;
  views.history = new HistoryList(results);
  views.parameters = new ParameterPanel;
  views.sliders = new PlanSliders;
  views.plan = new PlanView;
  views.jobs = new JobList;
  views.charts = new ChartPanel;
  views.explorer = new ExplorerView;
  views.log = new LogView;
  views.log->setAcceptDrops(false);
  return views;
}

QDockWidget* addDock(const Views& views, const char* name, const QString& title, QWidget* content,
                     Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, views.window);
  dock->setObjectName(QString::fromUtf8(name));
  dock->setWidget(new ScrollPlace(content));
  views.window->addDockWidget(area, dock);
  return dock;
}

QDockWidget* addTab(const Views& views, const char* name, const QString& title, QWidget* content) {
  QDockWidget* dock = addDock(views, name, title, content, Qt::BottomDockWidgetArea);
  QDockWidget* charts = dockOf(views.charts);
  views.window->tabifyDockWidget(charts, dock);
  charts->raise();
  return dock;
}

void bringUp(QWidget* view) {
  QDockWidget* dock = dockOf(view);
  dock->show();
  dock->raise();
}

void announce(const Views& views, QWidget* view) {
  QDockWidget* dock = dockOf(view);
  if (!views.layout->isChosen()) return bringUp(view);
  if (dock->isHidden() || !isBehind(view)) return;
  const QString mark = QStringLiteral("● ");
  if (dock->windowTitle().startsWith(mark)) return;
  dock->setWindowTitle(mark + dock->windowTitle());
  auto* watch = new QObject(dock);  // until the dock is seen
  QObject::connect(dock, &QDockWidget::visibilityChanged, watch, [dock, watch, mark](bool seen) {
    if (!seen) return;
    if (dock->windowTitle().startsWith(mark)) dock->setWindowTitle(dock->windowTitle().mid(mark.size()));
    watch->deleteLater();
  });
}

void setBadge(QWidget* view, int number) {
  QDockWidget* dock = dockOf(view);
  const QString title = dock->windowTitle().section(QStringLiteral(" ("), 0, 0);
  dock->setWindowTitle(number > 0 ? QStringLiteral("%1 (%2)").arg(title).arg(number) : title);
}

bool isBehind(const QWidget* part) {
  while (part && !qobject_cast<const QDockWidget*>(part)) part = part->parentWidget();
  return part && part->visibleRegion().isEmpty();
}

QAction* makeDockAction(QDockWidget* dock, int place) {
  auto* action = new DockAction(dock->windowTitle(), dock);
  action->setShortcut(dockKey(place));
  action->setObjectName(QStringLiteral("show-") + dock->objectName());
  action->setCheckable(true);
  action->setChecked(!dock->isHidden());
  QObject::connect(dock->toggleViewAction(), &QAction::toggled, action, &QAction::setChecked);
  QObject::connect(action, &QAction::triggered, dock, [dock, action] {
    const bool isInFront = !dock->isHidden() && !dock->visibleRegion().isEmpty();
    // The key first gives the dock the keys; the menu is for what is seen.
    const bool hides = isInFront && (!action->isByKey() || dock->isAncestorOf(QApplication::focusWidget()));
    dock->setVisible(!hides);
    if (!hides) {
      dock->raise();
      focusInto(*dock);
    }
    action->setChecked(!hides);
  });
  return action;
}

QAction* makeAction(QObject* owner, const QString& text, const char* name, const QKeySequence& key,
                    const QString& help) {
  auto* action = new QAction(text, owner);
  action->setObjectName(QString::fromUtf8(name));
  action->setShortcut(key);
  if (!help.isEmpty())
    action->setToolTip(
        key.isEmpty() ? help : QStringLiteral("%1 (%2)").arg(help, key.toString(QKeySequence::NativeText)));
  return action;
}

QFileDialog* dialogToOpen(QWidget* parent, const QString& title, const char* name, const QString& folder,
                          const QString& filter) {
  auto* dialog = new QFileDialog(parent, title, folder, filter);
  dialog->setObjectName(QString::fromUtf8(name));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  return dialog;
}

QFileDialog* dialogToSave(QWidget* parent, const QString& title, const char* name, const QString& suggested,
                          const QString& filter, const QString& suffix) {
  auto* dialog = new QFileDialog(parent, title, suggested, filter);
  dialog->setObjectName(QString::fromUtf8(name));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  if (!suffix.isEmpty()) dialog->setDefaultSuffix(suffix);
  return dialog;
}

QString lastFolder() {
  return QSettings().value(QStringLiteral("files/folder")).toString();
}

}  // namespace spokelab
