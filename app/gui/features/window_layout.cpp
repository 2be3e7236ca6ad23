#include "app/gui/features/window_layout.h"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLayout>
#include <QMainWindow>
#include <QMenuBar>
#include <QScreen>
#include <QStyle>
#include <QTabBar>
#include <QToolBar>
#include <QWindow>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/features/dock_tabs.h"
#include "app/gui/features/views.h"

namespace spokelab {
namespace {

constexpr int settleMs = 250;             // a window that is maximised gets its size later than its docks
constexpr QSize minRoomySize(1400, 860);  // below it the docks of a side share one place, as tabs
constexpr QSize usualSize(1600, 1000);    // the size for which the pixels below were chosen
constexpr int leftWidth = 330, rightWidth = 330, bottomHeight = 290;
constexpr int leftHeights[] = {190, 340, 110};  // scan, trajectory, results
constexpr int rightHeights[] = {800, 110};      // parameters with the plan as a tab, jobs
constexpr int compactLeftHeights[] = {200, 260};
constexpr int minSideWidth = 250, minBottomHeight = 180;
constexpr QSize minCentre(150, 120);

QList<int> listOf(const auto& values) {
  return QList<int>(std::begin(values), std::end(values));
}

bool isDocked(const QDockWidget& dock) {
  return !dock.isHidden() && !dock.isFloating();
}

}  // namespace

WindowLayout::WindowLayout(QMainWindow& window) : QObject(&window), window_(window) {
  settle_.setSingleShot(true);
  settle_.setInterval(settleMs);
  connect(&settle_, &QTimer::timeout, this, &WindowLayout::settle);
  addSide(tr("&Left docks"), "action-left-docks", Qt::LeftDockWidgetArea, Qt::Key_1);
  addSide(tr("&Bottom docks"), "action-bottom-docks", Qt::BottomDockWidgetArea, Qt::Key_2);
  addSide(tr("&Right docks"), "action-right-docks", Qt::RightDockWidgetArea, Qt::Key_3);
  alone_ = makeAction(this, tr("&Image alone"), "action-image-alone", Qt::Key_F11);
  alone_->setCheckable(true);
  connect(alone_, &QAction::triggered, this, &WindowLayout::setImageAlone);
  actions_ << alone_;
  window.installEventFilter(this);
  new DockTabs(window);
}

void WindowLayout::addSide(const QString& text, const char* name, Qt::DockWidgetArea area, Qt::Key key) {
  QAction* action = makeAction(this, text, name, Qt::CTRL | key);
  connect(action, &QAction::triggered, this, [this, area] {
    const auto docks = window_.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly);
    showSide(area, std::none_of(docks.begin(), docks.end(), [&](const QDockWidget* one) {
               return isDocked(*one) && window_.dockWidgetArea(const_cast<QDockWidget*>(one)) == area;
             }));
  });
  actions_ << action;
}

QDockWidget* WindowLayout::dock(const char* name) const {
  return window_.findChild<QDockWidget*>(QString::fromLatin1(name));
}

// The area of the screen that a window without its frame may fill.
QRect WindowLayout::room() const {
  const QScreen* screen = QGuiApplication::screenAt(window_.geometry().center());
  if (!screen) screen = window_.screen();
  QMargins frame(0, window_.style()->pixelMetric(QStyle::PM_TitleBarHeight), 0, 0);
  if (window_.isVisible() && window_.windowHandle()) frame = window_.windowHandle()->frameMargins();
  return screen->availableGeometry().marginsRemoved(frame);
}

void WindowLayout::begin(const QSize& firstSize) {
  default_ = window_.saveState();
  for (QToolBar* bar : window_.findChildren<QToolBar*>(Qt::FindDirectChildrenOnly)) {
    bar->ensurePolished();
    wordsWidth_[bar] = bar->sizeHint().width();
  }
  window_.resize(firstSize.boundedTo(room().size()));
}

void WindowLayout::shown() {
  if (std::exchange(arrangeWanted_, false)) arrange();
  settle_.start();
}

void WindowLayout::toDefault() {
  setImageAlone(false);
  docksToRestore_.clear();
  hidden_.clear();
  chosen_ = false;
  window_.restoreState(default_);
  arrange();
}

void WindowLayout::toTask(const TaskLayout& task) {
  toDefault();
  const int bottom = int(std::lround(task.bottomShare * window_.height()));
  for (QDockWidget* one : window_.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
    one->setVisible(task.docks.contains(one->objectName()));
    if (!one->isHidden() && window_.dockWidgetArea(one) == Qt::BottomDockWidgetArea)
      window_.resizeDocks({one}, {bottom}, Qt::Vertical);
  }
  // Last: a dock that is shown later would come in front.
  for (const QString& front : task.front)
    if (auto* one = window_.findChild<QDockWidget*>(front)) one->raise();
  chosen_ = true;
}

// The docks are in their default places.
void WindowLayout::arrange() {
  if (window_.width() < minRoomySize.width() || window_.height() < minRoomySize.height()) {
    const std::pair<const char*, const char*> tabs[] = {{"scan", "results"}, {"plan", "jobs"}};
    for (const auto& [first, second] : tabs) window_.tabifyDockWidget(dock(first), dock(second));
    for (const char* front : {"scan", "parameters", "profile"}) dock(front)->raise();
  }
  sizeDocks();
}

void WindowLayout::sizeDocks() {
  const auto docks = [this](std::initializer_list<const char*> names) {
    QList<QDockWidget*> list;
    for (const char* name : names) list << dock(name);
    return list;
  };
  const auto scaled = [](int pixels, int size, int usual, int least) {
    return std::clamp(int(std::lround(double(pixels) * size / usual)), std::min(least, pixels), pixels);
  };
  const auto side = [&](int pixels) {
    return scaled(pixels, window_.width(), usualSize.width(), minSideWidth);
  };
  window_.resizeDocks(docks({"scan", "parameters"}), {side(leftWidth), side(rightWidth)}, Qt::Horizontal);
  window_.resizeDocks(docks({"profile"}),
                      {scaled(bottomHeight, window_.height(), usualSize.height(), minBottomHeight)},
                      Qt::Vertical);
  if (window_.tabifiedDockWidgets(dock("scan")).contains(dock("results")))
    window_.resizeDocks(docks({"scan", "trajectory"}), listOf(compactLeftHeights), Qt::Vertical);
  else
    window_.resizeDocks(docks({"scan", "trajectory", "results"}), listOf(leftHeights), Qt::Vertical);
  window_.resizeDocks(docks({"parameters", "jobs"}), listOf(rightHeights), Qt::Vertical);
}

bool WindowLayout::isInside() const {
  const QRect inside = window_.rect();
  for (const QDockWidget* one : window_.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
    if (isDocked(*one) && !one->visibleRegion().isEmpty() && !inside.contains(one->geometry())) return false;
  for (const QTabBar* tabs : window_.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
    if (tabs->isVisible() && !inside.contains(tabs->geometry())) return false;
  const QSize centre = window_.centralWidget()->size();
  return centre.width() >= minCentre.width() && centre.height() >= minCentre.height();
}

QByteArray WindowLayout::geometry() const {
  return isImageAlone() ? geometryBefore_ : window_.saveGeometry();
}

QByteArray WindowLayout::docks() const {
  return isImageAlone() ? before_ : window_.saveState();
}

void WindowLayout::restore(const QByteArray& geometry, const QByteArray& docks) {
  setImageAlone(false);
  if (!geometry.isEmpty() && window_.restoreGeometry(geometry)) moveInside();
  if (!docks.isEmpty()) placeDocks(docks);
}

// A maximised window is the desktop's to place.
void WindowLayout::moveInside() {
  if (window_.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen)) return;
  const QRect bounds = room();
  QRect place(window_.geometry().topLeft(), window_.size().boundedTo(bounds.size()));
  place.moveRight(std::min(place.right(), bounds.right()));
  place.moveBottom(std::min(place.bottom(), bounds.bottom()));
  place.moveLeft(std::max(place.left(), bounds.left()));
  place.moveTop(std::max(place.top(), bounds.top()));
  if (place != window_.geometry()) window_.setGeometry(place);
}

void WindowLayout::placeDocks(const QByteArray& docks) {
  if (!window_.restoreState(docks)) return;
  chosen_ = true;
  arrangeWanted_ = false;
  docksToRestore_ = docks;
  placedFor_ = window_.isVisible() ? window_.size() : QSize();
  if (window_.isVisible()) settle_.start();
}

// Docks are cut while the window is smaller for a moment, so they are placed again.
void WindowLayout::settle() {
  if (!window_.isVisible()) return;
  moveInside();  // now that the frame is known
  const QByteArray docks = std::exchange(docksToRestore_, {});
  if (docks.isEmpty()) return;
  if (window_.size() != placedFor_) window_.restoreState(docks);
  if (!isInside()) sizeDocks();
}

bool WindowLayout::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && settle_.isActive()) settle_.start();
  if (event->type() == QEvent::Resize) fitToolBars();
  if (isImageAlone() && (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress)) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() != Qt::Key_Escape) return false;
    key->accept();  // before it cancels a job
    if (event->type() == QEvent::KeyPress) setImageAlone(false);
    return true;
  }
  return QObject::eventFilter(watched, event);
}

// Shows only icons if the words do not fit.
void WindowLayout::fitToolBars() {
  for (QToolBar* bar : window_.findChildren<QToolBar*>(Qt::FindDirectChildrenOnly)) {
    const auto style =
        window_.width() < wordsWidth_.value(bar, 0) ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon;
    if (bar->toolButtonStyle() != style) bar->setToolButtonStyle(style);
  }
}

void WindowLayout::showSide(Qt::DockWidgetArea area, bool on) {
  QStringList& names = hidden_[area];
  const auto docks = window_.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly);
  if (!on) {
    names.clear();
    for (QDockWidget* one : docks) {
      if (!isDocked(*one) || window_.dockWidgetArea(one) != area) continue;
      if (one->visibleRegion().isEmpty())
        names.prepend(one->objectName());
      else
        names.append(one->objectName());
    }
    for (const QString& name : names) window_.findChild<QDockWidget*>(name)->hide();
    return;
  }
  for (QDockWidget* one : docks) {
    if (window_.dockWidgetArea(one) != area || one->isFloating()) continue;
    if (names.isEmpty() || names.contains(one->objectName())) one->show();
  }
  for (const QString& name : std::as_const(names)) window_.findChild<QDockWidget*>(name)->raise();
}

void WindowLayout::setImageAlone(bool on) {
  alone_->setChecked(on);
  if (on == isImageAlone()) return;
  if (!on) {
    window_.menuBar()->setMaximumHeight(QWIDGETSIZE_MAX);
    window_.layout()->activate();  // the bars make room for it, also where the window keeps its size
    window_.setWindowState(stateBefore_);
    placeDocks(std::exchange(before_, {}));
    return;
  }
  geometryBefore_ = window_.saveGeometry();
  stateBefore_ = window_.windowState();
  before_ = window_.saveState();
  for (QDockWidget* one : window_.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) one->hide();
  for (QToolBar* bar : window_.findChildren<QToolBar*>(Qt::FindDirectChildrenOnly)) bar->hide();
  window_.menuBar()->setMaximumHeight(0);  // the keys of a hidden menu bar would not work
  window_.setWindowState(stateBefore_ | Qt::WindowFullScreen);
}

}  // namespace spokelab
