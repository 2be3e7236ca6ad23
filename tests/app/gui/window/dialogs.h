// All dialogs that the menus of a window open, one after the other.
#pragma once

#include <QAction>
#include <QDialog>

#include "tests/app/gui/workbench.h"

namespace spokelab {

// Calls take(action, dialog) for each; those that need a scan or a result come where there is one.
template <class Take>
void forEachDialog(MainWindow& window, Take take) {
  constexpr int settleMs = 100;
  int seen = 0;
  for (QAction* action : window.findChildren<QAction*>()) {
    const bool named =
        action->text().endsWith(QStringLiteral("…")) || action->objectName() == QStringLiteral("action-keys");
    if (!named || !action->isEnabled() || action->objectName().isEmpty()) continue;
    action->trigger();
    QTest::qWait(settleMs);
    for (QDialog* dialog : window.findChildren<QDialog*>()) {
      if (!dialog->isVisible()) continue;
      take(*action, *dialog);
      dialog->close();
      ++seen;
    }
    window.session().jobs().cancelAll();
  }
  QVERIFY2(seen > 15, qPrintable(QString::number(seen)));
}

}  // namespace spokelab
