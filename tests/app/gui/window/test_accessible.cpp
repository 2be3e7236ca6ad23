// All that takes the keys has a name for a screen reader, is reached by Tab in a sensible order, and no key
// has two meanings.
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QSpinBox>
#include <QTabBar>
#include <QToolBar>

#include "tests/app/gui/window/dialogs.h"

using namespace spokelab;

namespace {

QString pathOf(const QWidget* widget) {
  QStringList parts;
  for (; widget && !widget->isWindow(); widget = widget->parentWidget())
    parts.prepend(QStringLiteral("%1(%2)").arg(QString::fromLatin1(widget->metaObject()->className()),
                                               widget->objectName()));
  return parts.join(QLatin1Char('/'));
}

// A part of another control, which has the name, or the list of a closed box.
bool isPart(const QWidget* widget) {
  if (widget->isWindow()) return true;
  const QWidget* parent = widget->parentWidget();
  if (!parent) return true;
  if (qobject_cast<const QAbstractSpinBox*>(parent) || widget->objectName().startsWith(QStringLiteral("qt_")))
    return true;
  const auto* area = qobject_cast<const QAbstractScrollArea*>(parent);
  if (area && area->viewport() == widget) return true;
  if (parent->isWindow()) return parent != widget->window();
  return parent->window() != widget->window() || isPart(parent);
}

// Focusable widgets inside a window: its own children, without its dialogs and menus.
QList<QWidget*> focusable(const QWidget& window) {
  QList<QWidget*> found;
  for (QWidget* widget : window.findChildren<QWidget*>())
    if ((widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy() && widget->window() == &window &&
        !(widget->parentWidget() != &window && isPart(widget)))
      found << widget;
  return found;
}

QString accessibleName(QWidget* widget) {
  if (qobject_cast<QComboBox*>(widget)) {  // Qt's interface answers with the chosen entry
    for (const QLabel* label : widget->window()->findChildren<QLabel*>())
      if (label->buddy() == widget) return label->text();
    return widget->accessibleName();
  }
  QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
  return face ? face->text(QAccessible::Name) : QString();
}

// Focusable widgets of a dock in the order of the Tab key.
QList<QWidget*> tabOrder(QWidget& dock) {
  QList<QWidget*> order;
  for (QWidget* next = dock.nextInFocusChain(); next != &dock; next = next->nextInFocusChain())
    if (dock.isAncestorOf(next) && next->isVisibleTo(&dock) && (next->focusPolicy() & Qt::TabFocus) &&
        !next->focusProxy() && !isPart(next))
      order << next;
  return order;
}

QStringList jumps(QWidget& dock) {
  QStringList found;
  const QWidget* before = nullptr;
  for (const QWidget* widget : tabOrder(dock)) {
    if (before) {
      const QRect a(before->mapTo(&dock, QPoint()), before->size()),
          b(widget->mapTo(&dock, QPoint()), widget->size());
      const bool goesOn = b.top() >= a.center().y() || b.left() >= a.right() - 1 || b.bottom() <= a.top();
      const bool goesBack = b.bottom() <= a.top() && b.left() < a.right();
      if (!goesOn || goesBack)
        found << QStringLiteral("%1 then %2")
                     .arg(accessibleName(const_cast<QWidget*>(before)),
                          accessibleName(const_cast<QWidget*>(widget)));
    }
    before = widget;
  }
  return found;
}

bool liesBehind(const QWidget* part) {
  while (part && !qobject_cast<const QDockWidget*>(part)) part = part->parentWidget();
  return part && part->visibleRegion().isEmpty();
}

// With those that arrows get to from there: buttons that exclude each other.
QSet<QWidget*> withItsGroup(QWidget* widget) {
  QSet<QWidget*> all{widget};
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  if (button && button->group() && button->group()->exclusive())
    for (QAbstractButton* other : button->group()->buttons()) all << other;
  if (button && !button->group() && button->autoExclusive())
    for (QAbstractButton* other :
         button->parentWidget()->findChildren<QAbstractButton*>(Qt::FindDirectChildrenOnly))
      if (other->autoExclusive()) all << other;
  return all;
}

// Widgets that the Tab key reaches: enabled, and not behind another dock.
QSet<QWidget*> reachable(QWidget& window) {
  QSet<QWidget*> found;
  for (QWidget* widget : focusable(window))
    if (widget->isVisible() && widget->isEnabled() && !liesBehind(widget)) found << widget;
  return found;
}

// Presses Tab or Shift+Tab until it is back where it was: what keeps the key, and what it does not reach.
QStringList walk(QWidget& window, Qt::Key key) {
  constexpr int maxStops = 60;  // within one part, as the points of a curve
  QSet<QWidget*> missed = reachable(window);
  if (missed.isEmpty()) return {};
  QWidget* first = *missed.begin();
  first->setFocus(Qt::TabFocusReason);
  if (!first->hasFocus()) return {pathOf(first) + QStringLiteral(" does not take the focus")};
  const qsizetype maxPresses = maxStops * missed.size();
  int stops = 0;
  for (qsizetype press = 0; press < maxPresses; ++press) {
    QWidget* now = QApplication::focusWidget();
    if (!now || now->window() != &window) return {QStringLiteral("the focus is gone")};
    missed -= withItsGroup(now);
    if (liesBehind(now)) return {pathOf(now) + QStringLiteral(" is not seen")};
    QTest::keyClick(now, key, key == Qt::Key_Backtab ? Qt::ShiftModifier : Qt::NoModifier);
    stops = QApplication::focusWidget() == now ? stops + 1 : 0;
    if (stops > maxStops) return {pathOf(now) + QStringLiteral(" keeps the key")};
    if (stops == 0 && QApplication::focusWidget() == first) break;
  }
  QStringList wrong;
  for (const QWidget* widget : missed) wrong << pathOf(widget) + QStringLiteral(" is not reached");
  return wrong;
}

void addDirections() {
  QTest::addColumn<Qt::Key>("key");
  QTest::newRow("Tab") << Qt::Key_Tab;
  QTest::newRow("Shift+Tab") << Qt::Key_Backtab;
}

void gather(const QMenu& menu, QList<QAction*>& all) {
  for (QAction* action : menu.actions()) {
    if (action->isSeparator()) continue;
    all << action;
    if (action->menu()) gather(*action->menu(), all);
  }
}

}  // namespace

class TestAccessible : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void allThatTakesTheKeysHasAName() {
    Workbench bench;
    const QList<QWidget*> all = focusable(bench.window);
    QVERIFY2(all.size() > 40, qPrintable(QString::number(all.size())));
    QStringList nameless;
    for (QWidget* widget : all)  // of a bar of tabs each tab is named
      if (!qobject_cast<QTabBar*>(widget) && accessibleName(widget).trimmed().isEmpty())
        nameless << pathOf(widget);
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral("\n"))));
  }

  void dialogsNameTheirParts() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    QStringList nameless;
    forEachDialog(bench.window, [&](const QAction& action, QDialog& dialog) {
      if (qobject_cast<QFileDialog*>(&dialog)) return;  // Qt's
      for (QWidget* widget : focusable(dialog))
        if (accessibleName(widget).trimmed().isEmpty())
          nameless << action.objectName() + QStringLiteral(": ") + pathOf(widget);
    });
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral("\n"))));
  }

  // Each dock once in front.
  void theTabKeyReachesAllOfTheWindowAndNothingKeepsIt_data() { addDirections(); }
  void theTabKeyReachesAllOfTheWindowAndNothingKeepsIt() {
    QFETCH(const Qt::Key, key);
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    QApplication::setActiveWindow(&bench.window);
    QStringList wrong;
    for (QDockWidget* dock : bench.window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
      dock->show();
      dock->raise();
      QTest::qWait(20);
      for (const QString& what : walk(bench.window, key))
        wrong << dock->objectName() + QStringLiteral(": ") + what;
    }
    wrong.removeDuplicates();
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QStringLiteral("\n"))));
  }

  void theTabKeyReachesAllOfADialog_data() { addDirections(); }
  void theTabKeyReachesAllOfADialog() {
    QFETCH(const Qt::Key, key);
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    QStringList wrong;
    forEachDialog(bench.window, [&](const QAction& action, QDialog& dialog) {
      if (qobject_cast<QFileDialog*>(&dialog)) return;  // Qt's
      QApplication::setActiveWindow(&dialog);
      for (const QString& what : walk(dialog, key))
        wrong << action.objectName() + QStringLiteral(": ") + what;
    });
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QStringLiteral("\n"))));
  }

  // Down or to the right, never back up within a column.
  void theTabKeyGoesOnWithinEachDock() {
    Workbench bench;
    QStringList wrong;
    for (QDockWidget* dock : bench.window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
      dock->show();
      dock->raise();
      QTest::qWait(20);
      for (const QString& jump : jumps(*dock)) wrong << dock->objectName() + QStringLiteral(": ") + jump;
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QStringLiteral("\n"))));
  }

  void everyActionHasATextAndNoTwoShareAKey() {
    Workbench bench;
    QList<QAction*> all;
    for (QAction* entry : bench.window.menuBar()->actions()) gather(*entry->menu(), all);
    QVERIFY(all.size() > 50);
    QMap<QString, QString> keys;
    for (const QAction* action : all) {
      QVERIFY2(!action->text().isEmpty(), qPrintable(action->objectName()));
      for (const QKeySequence& key : action->shortcuts()) {
        const QString text = key.toString();
        QVERIFY2(
            !keys.contains(text) || keys[text] == action->text(),
            qPrintable(text + QStringLiteral(": ") + keys[text] + QStringLiteral(", ") + action->text()));
        keys[text] = action->text();
      }
    }
    for (const QAction* action : bench.window.findChild<QToolBar*>()->actions()) {
      if (action->isSeparator() || qobject_cast<const QWidgetAction*>(action)) continue;
      QVERIFY2(!action->text().isEmpty() && !action->icon().isNull() && !action->toolTip().isEmpty(),
               qPrintable(action->objectName()));
    }
  }

  // Frequent actions are at hand without the mouse.
  void whatIsUsedOftenHasAKey() {
    Workbench bench;
    for (const char* name :
         {"action-open", "action-demo", "action-reconstruct", "action-cancel", "action-sweep",
          "action-compare", "action-save", "action-report", "action-find-parameter", "action-image-alone",
          "action-help", "layout-reconstruct", "layout-profile", "layout-compare"}) {
      const auto* action = bench.window.findChild<QAction*>(QString::fromLatin1(name));
      QVERIFY2(action && !action->shortcut().isEmpty(), name);
    }
  }
};

SPOKELAB_WINDOW_TEST(TestAccessible)
#include "test_accessible.moc"
