// The window on a screen of 1024 × 768: it fits, whatever it was left like, and comes back as it
// was.
#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QScreen>
#include <QSettings>
#include <QTabBar>
#include <QToolBar>

#include "app/gui/features/window_layout.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/image_panel.h"

namespace test_window_layout {

using namespace spokelab;

namespace {

constexpr int settled = 600;     // ms, longer than a restored layout takes
constexpr int titleHeight = 40;  // of the frame that a desktop gives a window
constexpr QSize smallScreen(1024, 768), largeWindow(2400, 1300);

QMap<QString, QRect> places(const MainWindow& window) {
  QMap<QString, QRect> found;
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
    if (dock->isVisible() && !dock->isFloating() && !dock->visibleRegion().isEmpty())
      found[dock->objectName()] = dock->geometry();
  found[QStringLiteral("centre")] = window.centralWidget()->geometry();
  return found;
}

void verifyInside(const MainWindow& window) {
  const QRect all = window.rect(), screen = window.screen()->availableGeometry();
  QVERIFY2(screen.contains(window.frameGeometry()),
           qPrintable(QStringLiteral("%1 × %2").arg(window.width()).arg(window.height())));
  const auto found = places(window);
  for (auto it = found.begin(); it != found.end(); ++it)
    QVERIFY2(all.contains(it.value()), qPrintable(it.key()));
  for (const QTabBar* tabs : window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
    if (tabs->isVisible()) QVERIFY(all.contains(tabs->geometry()));
}

struct Remembering {
  Backends backends;
  Session session{backends.all()};
  MainWindow window{session, backends.badges(), true};
  Remembering() { window.show(); }
};

}  // namespace

class TestWindowLayout : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;

 private Q_SLOTS:
  void initTestCase() {
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path());
    QCOMPARE(QGuiApplication::primaryScreen()->size(), smallScreen);
  }
  void init() { QSettings().clear(); }

  void allDocksTogetherNeedLessThanASmallScreen() {
    Workbench bench;
    const QSize least = bench.window.minimumSizeHint();
    QVERIFY2(least.width() <= smallScreen.width() && least.height() <= smallScreen.height() - titleHeight,
             qPrintable(QStringLiteral("%1 × %2").arg(least.width()).arg(least.height())));
    QTest::qWait(settled);
    QVERIFY(bench.window.minimumSize().width() <= smallScreen.width());
  }

  void theFirstWindowLiesWithinTheScreen() {
    Workbench bench;
    QTest::qWait(settled);
    verifyInside(bench.window);
    for (const char* name : {"scan", "trajectory", "parameters", "profile"})
      QVERIFY2(!bench.window.dock(QString::fromLatin1(name))->visibleRegion().isEmpty(), name);
  }

  // Its viewport takes the width that is there, and scrolls to what does not fit.
  void aDockThatIsTooSmallScrolls() {
    Workbench bench;
    bench.window.resize(640, 480);
    QTest::qWait(settled);
    QDockWidget* dock = bench.window.dock(QStringLiteral("parameters"));
    auto* place = qobject_cast<QScrollArea*>(dock->widget());
    QVERIFY(place);
    bench.window.resizeDocks({dock}, {100}, Qt::Horizontal);
    QVERIFY(place->widget()->width() >= bench.window.views().parameters->minimumSizeHint().width());
    QVERIFY(place->widget()->height() >= bench.window.views().parameters->minimumSizeHint().height());
  }

  void aLayoutOfALargerScreenFits() {
    QByteArray geometry, docks;
    {
      Workbench bench;
      bench.window.resize(largeWindow);
      QTest::qWait(settled);
      bench.window.resizeDocks({bench.window.dock(QStringLiteral("profile"))}, {700}, Qt::Vertical);
      bench.window.resizeDocks({bench.window.dock(QStringLiteral("parameters"))}, {900}, Qt::Horizontal);
      QTest::qWait(settled);
      geometry = bench.window.saveGeometry();
      docks = bench.window.saveState();
    }
    Workbench bench;
    QTest::qWait(settled);
    bench.window.views().layout->restore(geometry, docks);
    QTest::qWait(settled);
    verifyInside(bench.window);
  }

  void aMaximisedWindowIsRecoveredAsItWas() {
    QByteArray geometry, docks;
    QMap<QString, QRect> before;
    {
      Workbench bench;
      bench.window.showMaximized();
      QTest::qWait(settled);
      bench.window.resizeDocks({bench.window.dock(QStringLiteral("profile"))}, {330}, Qt::Vertical);
      QTest::qWait(settled);
      geometry = bench.window.views().layout->geometry();
      docks = bench.window.views().layout->docks();
      before = places(bench.window);
    }
    Workbench bench;
    bench.window.resize(700, 500);
    QTest::qWait(settled);
    bench.window.views().layout->restore(geometry, docks);
    QTest::qWait(settled);
    QVERIFY(bench.window.isMaximized());
    QCOMPARE(places(bench.window), before);
    verifyInside(bench.window);
  }

  void theSecondStartLooksLikeTheFirst_data() {
    QTest::addColumn<bool>("maximised");
    QTest::addRow("normal") << false;
    QTest::addRow("maximised") << true;
  }
  void theSecondStartLooksLikeTheFirst() {
    QFETCH(const bool, maximised);
    QMap<QString, QRect> before;
    for (int start = 0; start < 3; ++start) {
      Remembering bench;
      if (maximised && start == 0) bench.window.showMaximized();
      QTest::qWait(settled);
      if (start == 0) before = places(bench.window);
      QCOMPARE(bench.window.isMaximized(), maximised);
      QCOMPARE(places(bench.window), before);
      bench.window.close();
    }
  }

  void theImageAloneLeavesNoTrace() {
    Workbench bench;
    QTest::qWait(settled);
    const auto before = places(bench.window);
    const QByteArray docks = bench.window.saveState(), geometry = bench.window.saveGeometry();
    auto* alone = bench.window.findChild<QAction*>(QStringLiteral("action-image-alone"));
    QCOMPARE(alone->shortcut(), QKeySequence(Qt::Key_F11));
    QTest::keyClick(&bench.window, Qt::Key_F11);
    QTest::qWait(settled);
    QVERIFY(bench.window.isFullScreen());
    QCOMPARE(bench.window.views().centre->size(), bench.window.size());
    QCOMPARE(bench.window.screen()->size(), bench.window.size());
    // What is kept is the layout that comes back.
    QCOMPARE(bench.window.views().layout->docks(), docks);
    QCOMPARE(bench.window.views().layout->geometry(), geometry);
    QTest::keyClick(&bench.window, Qt::Key_F11);
    QTest::qWait(settled);
    QVERIFY(!bench.window.isFullScreen());
    QCOMPARE(places(bench.window), before);
  }

  void aSideFoldsAwayAndComesBack() {
    Workbench bench;
    QTest::qWait(settled);
    const auto before = places(bench.window);
    for (const char* side : {"left", "bottom", "right"}) {
      auto* fold =
          bench.window.findChild<QAction*>(QStringLiteral("action-%1-docks").arg(QString::fromLatin1(side)));
      const int docks = int(places(bench.window).size());
      fold->trigger();
      QTest::qWait(settled);
      QVERIFY2(places(bench.window).size() < docks, side);
      fold->trigger();
      QTest::qWait(settled);
      QCOMPARE(places(bench.window).keys(), before.keys());
    }
  }
};

namespace {

// Qt's offscreen platform has the screen that its file describes, and maximises at once.
int runOnASmallScreen(int argc, char** argv) {
  const QTemporaryDir folder;
  QFile file(folder.filePath(QStringLiteral("screen.json")));
  if (!file.open(QIODevice::WriteOnly)) return 1;
  file.write(R"({"screens": [{"name": "small", "x": 0, "y": 0, "width": 1024, "height": 768,
                              "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]})");
  file.close();
  qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + file.fileName().toUtf8());
  return test::runWindowTest<TestWindowLayout>(argc, argv);
}

}  // namespace

SPOKELAB_TEST_RUN(&runOnASmallScreen)

}  // namespace test_window_layout

#include "test_window_layout.moc"
