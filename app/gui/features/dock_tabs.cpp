#include "app/gui/features/dock_tabs.h"

#include <QChildEvent>
#include <QCoreApplication>
#include <QMainWindow>
#include <QStyle>
#include <QTabBar>

namespace spokelab {
namespace {

constexpr int roomyPadding = 12;        // pixels beside a name, as window.qss says
constexpr const char* tight = "tight";  // the property that window.qss asks for

}  // namespace

DockTabs::DockTabs(QMainWindow& window) : QObject(&window) {
  window.installEventFilter(this);
}

// The window makes and shows tab bars when docks share a place.
bool DockTabs::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ChildPolished) {
    if (auto* bar = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child())) adopt(*bar);
  } else if (event->type() == QEvent::Resize || event->type() == QEvent::Show ||
             event->type() == QEvent::FontChange) {
    if (auto* bar = qobject_cast<QTabBar*>(watched)) fit(*bar);
  } else if (event->type() == QEvent::Paint) {
    // Qt keeps the empty tab bar of closed docks above the image: no line, no clicks.
    if (auto* bar = qobject_cast<QTabBar*>(watched)) {
      constexpr int fewest = 2;
      bar->setAttribute(Qt::WA_TransparentForMouseEvents, bar->count() < fewest);
      if (bar->count() < fewest) return true;
    }
  }
  return QObject::eventFilter(watched, event);
}

void DockTabs::adopt(QTabBar& bar) {
  bar.setElideMode(Qt::ElideNone);
  bar.setUsesScrollButtons(true);
  bar.installEventFilter(this);
  fit(bar);
}

void DockTabs::fit(QTabBar& bar) {
  int roomy = 0;
  for (int i = 0; i < bar.count(); ++i)
    roomy += bar.fontMetrics().horizontalAdvance(bar.tabText(i)) + 2 * roomyPadding;
  const bool isTight = roomy > bar.width();
  if (bar.property(tight).toBool() == isTight) return;
  bar.setProperty(tight, isTight);
  bar.style()->unpolish(&bar);
  bar.style()->polish(&bar);
  QEvent styled(QEvent::StyleChange);  // else the bar keeps the sizes of its tabs
  QCoreApplication::sendEvent(&bar, &styled);
}

}  // namespace spokelab
