// Layouts by task and by name, keys of docks, and the way back from the image alone.
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTabBar>
#include <QToolBar>

#include "app/gui/features/window_layout.h"
#include "app/gui/window/layout_menu.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/image_panel.h"

namespace test_layouts {

using namespace spokelab;

namespace {

constexpr int settled = 600;  // ms, longer than a restored layout takes

struct Remembering {
  Backends backends;
  Session session{backends.all()};
  MainWindow window{session, backends.badges(), true};
  Remembering() {
    window.show();
    QTest::qWait(settled);
  }
};

QAction* action(const MainWindow& window, const char* name) {
  return window.findChild<QAction*>(QString::fromUtf8(name));
}

QStringList seen(const MainWindow& window) {
  QStringList names;
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
    if (dock->isVisible() && !dock->visibleRegion().isEmpty()) names << dock->objectName();
  names.sort();
  return names;
}

void saveAs(const MainWindow& window, const QString& name) {
  action(window, "layout-save")->trigger();
  auto* dialog = window.findChild<QInputDialog*>(QStringLiteral("layoutName"));
  QVERIFY(dialog);
  dialog->setTextValue(name);
  dialog->accept();
}

}  // namespace

class TestLayouts : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;

 private Q_SLOTS:
  void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }
  void init() { QSettings().clear(); }

  // Seen before: the line of a bar without tabs through the text below the image.
  void aPlaceWithoutDocksLeavesNothingOverTheImage() {
    Workbench bench;
    bench.window.resize(1280, 720);  // docks of a side share a place
    action(bench.window, "layout-default")->trigger();
    QTest::qWait(settled);
    action(bench.window, "layout-profile")->trigger();
    QTest::qWait(settled);
    const QRect centre = bench.window.centralWidget()->geometry();
    int over = 0;
    for (QTabBar* bar : bench.window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
      if (!bar->isVisible() || !bar->geometry().intersects(centre)) continue;
      ++over;
      const QImage drawn = bar->grab().toImage();
      bool isPlain = true;
      for (int y = 0; y < drawn.height(); ++y)
        for (int x = 0; x < drawn.width(); ++x) isPlain = isPlain && drawn.pixel(x, y) == drawn.pixel(0, 0);
      QVERIFY2(isPlain, qPrintable(QString::number(bar->count())));
      QVERIFY(bar->testAttribute(Qt::WA_TransparentForMouseEvents));
    }
    QVERIFY(over > 0);  // else Qt has mended it, and DockTabs need not hide it
  }

  void eachTaskHasItsDocks() {
    Remembering bench;
    const QStringList usual = seen(bench.window);
    action(bench.window, "layout-profile")->trigger();
    QTest::qWait(settled);
    const int image = bench.window.centralWidget()->height();
    QVERIFY(seen(bench.window).contains(QStringLiteral("profile")));
    QVERIFY(!bench.window.dock(QStringLiteral("scan"))->isVisible());
    QVERIFY(bench.window.dock(QStringLiteral("profile"))->height() > image / 2);
    action(bench.window, "layout-reconstruct")->trigger();
    QTest::qWait(settled);
    QVERIFY(seen(bench.window).contains(QStringLiteral("parameters")));
    QVERIFY(!bench.window.dock(QStringLiteral("profile"))->isVisible());
    QVERIFY(bench.window.centralWidget()->height() > image);
    action(bench.window, "layout-compare")->trigger();
    QTest::qWait(settled);
    QVERIFY(seen(bench.window).contains(QStringLiteral("measure")));
    QVERIFY(!bench.window.dock(QStringLiteral("parameters"))->isVisible());
    action(bench.window, "layout-default")->trigger();
    QTest::qWait(settled);
    QCOMPARE(seen(bench.window), usual);
  }

  // On a screen of 1600 × 1000 the docks at the bottom show all of themselves; what scrolls is within them.
  void noDockAtTheBottomScrollsOnALargeScreen() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.resize(1590, 970);
    openSmall(bench, folder);
    QTest::qWait(settled);
    auto* profile = bench.window.dock(QStringLiteral("profile"));
    QStringList scrolls;
    QList<QDockWidget*> docks = bench.window.tabifiedDockWidgets(profile);
    docks << profile;
    for (QDockWidget* dock : docks) {
      dock->raise();
      QTest::qWait(100);
      const auto* place = qobject_cast<QScrollArea*>(dock->widget());
      QVERIFY2(place && !dock->visibleRegion().isEmpty(), qPrintable(dock->objectName()));
      if (const int hidden = place->verticalScrollBar()->maximum(); hidden > 0)
        scrolls << QStringLiteral("%1: %2 of %3").arg(dock->objectName()).arg(hidden).arg(place->height());
    }
    QVERIFY2(scrolls.isEmpty(), qPrintable(scrolls.join(QStringLiteral("; "))));
  }

  void aLayoutIsSavedUnderANameAndKept() {
    QStringList saved;
    {
      Remembering bench;
      bench.window.dock(QStringLiteral("scan"))->hide();
      bench.window.dock(QStringLiteral("plan"))->raise();
      QTest::qWait(settled);
      saved = seen(bench.window);
      saveAs(bench.window, QStringLiteral("Mine / & yours"));
      action(bench.window, "layout-default")->trigger();
      QTest::qWait(settled);
      QVERIFY(seen(bench.window) != saved);
    }
    Remembering bench;
    QAction* entry = action(bench.window, "layout-of-Mine / & yours");
    QVERIFY(entry);
    entry->trigger();
    QTest::qWait(settled);
    QCOMPARE(seen(bench.window), saved);
    auto* layouts = bench.window.findChild<LayoutMenu*>();
    layouts->remove(QStringLiteral("Mine / & yours"));
    QTRY_VERIFY_WITH_TIMEOUT(!action(bench.window, "layout-of-Mine / & yours"), patience);
    const Remembering again;
    QVERIFY(!action(again.window, "layout-of-Mine / & yours"));
  }

  void aLayoutOfALargeWindowFitsASmallOne() {
    Workbench bench;
    bench.window.resize(1590, 950);
    QTest::qWait(settled);
    bench.window.resizeDocks({bench.window.dock(QStringLiteral("profile"))}, {600}, Qt::Vertical);
    QTest::qWait(settled);
    saveAs(bench.window, QStringLiteral("large"));
    bench.window.resize(1024, 700);
    QTest::qWait(settled);
    action(bench.window, "layout-of-large")->trigger();
    QTest::qWait(settled);
    for (const QDockWidget* dock : bench.window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
      if (dock->isVisible() && !dock->visibleRegion().isEmpty())
        QVERIFY2(bench.window.rect().contains(dock->geometry()), qPrintable(dock->objectName()));
    QCOMPARE(bench.window.size(), QSize(1024, 700));
  }

  void aKeyOfItsOwnRaisesEachDockAndGivesItTheKeys() {
    Workbench bench;
    QApplication::setActiveWindow(&bench.window);
    int keys = 0;
    for (QDockWidget* dock : bench.window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
      auto* entry = bench.window.findChild<QAction*>(QStringLiteral("show-") + dock->objectName());
      QVERIFY2(entry && !entry->shortcut().isEmpty(), qPrintable(dock->objectName()));
      ++keys;
    }
    QVERIFY(keys >= 15);
    const auto press = [&](const char* dock) {
      QTest::keySequence(&bench.window,
                         action(bench.window, (std::string("show-") + dock).c_str())->shortcut());
    };
    press("explorer-dock");
    QDockWidget* explorer = bench.window.dock(QStringLiteral("explorer-dock"));
    QTRY_VERIFY_WITH_TIMEOUT(!explorer->visibleRegion().isEmpty(), patience);
    bench.window.views().image->takeFocus();
    bench.window.dock(QStringLiteral("plan"))->raise();
    press("parameters");
    QTRY_VERIFY_WITH_TIMEOUT(!bench.window.views().parameters->visibleRegion().isEmpty(), patience);
    QVERIFY(bench.window.dock(QStringLiteral("parameters"))->isAncestorOf(QApplication::focusWidget()));
  }

  void escapeLeavesTheImageAlone() {
    Workbench bench;
    QApplication::setActiveWindow(&bench.window);
    QTest::qWait(settled);
    const QStringList before = seen(bench.window);
    QTest::keyClick(&bench.window, Qt::Key_F11);
    QTest::qWait(settled);
    QVERIFY(bench.window.views().layout->isImageAlone());
    QVERIFY(seen(bench.window).isEmpty());
    bench.window.features().messages->cancelAction()->setEnabled(true);  // as while a job runs
    const QSignalSpy cancelled(bench.window.features().messages->cancelAction(), &QAction::triggered);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QTest::qWait(settled);
    QVERIFY(!bench.window.views().layout->isImageAlone());
    QCOMPARE(seen(bench.window), before);
    const QMenuBar& menu = *bench.window.menuBar();
    const QToolBar& bar = *bench.window.findChild<QToolBar*>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(menu.height() > 0 && bar.isVisible());
    QVERIFY2(bar.y() >= menu.geometry().bottom(), qPrintable(QString::number(bar.y())));
    QCOMPARE(cancelled.count(), 0);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QCOMPARE(cancelled.count(), 1);
  }
};

SPOKELAB_WINDOW_TEST(TestLayouts)

}  // namespace test_layouts

#include "test_layouts.moc"
