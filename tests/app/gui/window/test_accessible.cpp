// All that takes the keys has a name for a screen reader, lies in a sensible order, and no key has
// two meanings.
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QSpinBox>
#include <QTabBar>
#include <QToolBar>

#include "tests/app/gui/workbench.h"

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

// Those inside a window: its own children, not those of its dialogs and menus.
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
    Workbench bench;
    QStringList nameless;
    for (const char* name : {"simulate", "density", "readings", "studies", "suites", "keys", "diagnostics"}) {
      auto* action = bench.window.findChild<QAction*>(QStringLiteral("action-") + QString::fromLatin1(name));
      if (!action) continue;
      action->trigger();
      QCoreApplication::processEvents();
      for (QDialog* dialog : bench.window.findChildren<QDialog*>()) {
        if (!dialog->isVisible()) continue;
        for (QWidget* widget : focusable(*dialog))
          if (accessibleName(widget).trimmed().isEmpty())
            nameless << QString::fromLatin1(name) + QStringLiteral(": ") + pathOf(widget);
        dialog->close();
      }
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral("\n"))));
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

  // What is used again and again is at hand without the mouse.
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
