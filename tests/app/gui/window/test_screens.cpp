// The window on the screens that are promised, from 1024 × 768 to 4K at scale 2.5, in each theme: it, its
// docks and its dialogs lie within the screen, and no word is cut off. Qt takes the scale at its start,
// so each screen is a process of its own.
#include <QDockWidget>
#include <QProcess>
#include <QScreen>
#include <QTabBar>
#include <QToolBar>

#include <array>
#include <cstdio>

#include "tests/app/gui/window/cut_off.h"
#include "tests/app/gui/window/dialogs.h"
#include "tests/app/gui/workbench.h"
#include "widgets/core/screen_theme.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/image_panel.h"

namespace test_screens {

using namespace spokelab;

namespace {

constexpr int settled = 600;                                    // ms, longer than a restored layout takes
constexpr int childPatience = 4 * patience;                     // ms
constexpr const char* screenVariable = "SPOKELAB_TEST_SCREEN";  // WIDTH×HEIGHT that the child has

QList<QDockWidget*> docksOf(const MainWindow& window) {
  return window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly);
}

void verifyWithinTheScreen(const MainWindow& window) {
  const QRect all = window.rect();
  QVERIFY2(window.screen()->availableGeometry().contains(window.frameGeometry()),
           qPrintable(QStringLiteral("%1 × %2").arg(window.width()).arg(window.height())));
  for (const QDockWidget* dock : docksOf(window))
    if (dock->isVisible() && !dock->visibleRegion().isEmpty())
      QVERIFY2(all.contains(dock->geometry()), qPrintable(dock->objectName()));
  for (const QTabBar* tabs : window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
    if (tabs->isVisible()) QVERIFY(all.contains(tabs->geometry()));
  QVERIFY(all.contains(window.centralWidget()->geometry()));
}

}  // namespace

// Of a process whose screen it is.
class TestOneScreen : public QObject {
  Q_OBJECT

  const QTemporaryDir folder_;
  Workbench bench_;

  MainWindow& window() { return bench_.window; }

 private Q_SLOTS:
  void initTestCase() {
    QTest::qWait(settled);
    const QSize size = QGuiApplication::primaryScreen()->size();
    QCOMPARE(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()),
             qEnvironmentVariable(screenVariable));
  }

  void theFirstWindowIsWithinTheScreen() {
    verifyWithinTheScreen(window());
    for (const char* name : {"scan", "trajectory", "parameters", "profile"})
      QVERIFY2(!window().dock(QString::fromLatin1(name))->visibleRegion().isEmpty(), name);
    QVERIFY(window().centralWidget()->width() >= 300 && window().centralWidget()->height() >= 200);
  }

  void nothingOfWindowDocksAndDialogsIsCutOff_data() {
    QTest::addColumn<ScreenTheme>("theme");
    QTest::newRow("dark") << ScreenTheme::dark;
    QTest::newRow("light") << ScreenTheme::light;
    QTest::newRow("high contrast") << ScreenTheme::highContrast;
  }
  void nothingOfWindowDocksAndDialogsIsCutOff() {
    QFETCH(const ScreenTheme, theme);
    // But for those of the platform, which has no desktop.
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin).*")));
    applyTheme(*qApp, theme);
    while (bench_.results().rowCount() < 2) addResult();
    QTest::qWait(settled);
    QStringList cut;
    for (QDockWidget* dock : docksOf(window())) {
      dock->show();
      dock->raise();
      QTest::qWait(50);
      verifyWithinTheScreen(window());
      for (const QString& part : cutOff(*dock)) cut << dock->objectName() + QStringLiteral(": ") + part;
    }
    cut << cutOff(*window().centralWidget());
    bench_.window.features().compare->setComparing(true);
    QTRY_VERIFY_WITH_TIMEOUT(bench_.window.views().comparison->difference(), patience);
    QTest::qWait(50);
    cut << cutOff(*window().centralWidget());
    bench_.window.features().compare->setComparing(false);
    const auto* bar = window().findChild<QToolBar*>(QStringLiteral("tools"));
    const auto* more = bar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"));
    if (more && more->isVisible()) cut << QStringLiteral("the tool bar does not show all");
    cut << cutOff(*bar) << cutDialogs();
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
  }

  // Below 1280 pixels buttons scroll the tabs; above, every tab is in sight.
  void everyTabOfDocksSaysItsWholeName() {
    constexpr int roomyWidth = 1280;
    QTest::qWait(settled);
    int tabs = 0;
    for (const QTabBar* bar : window().findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
      if (!bar->isVisible()) continue;
      for (int i = 0; i < bar->count(); ++i, ++tabs) {
        const QRect tab = bar->tabRect(i);
        QVERIFY2(tab.width() >= bar->fontMetrics().horizontalAdvance(bar->tabText(i)),
                 qPrintable(bar->tabText(i)));
        if (window().width() >= roomyWidth)
          QVERIFY2(bar->rect().contains(tab.adjusted(0, 0, -1, -1)),
                   qPrintable(QStringLiteral("%1: %2 to %3 of %4")
                                  .arg(bar->tabText(i))
                                  .arg(tab.left())
                                  .arg(tab.right())
                                  .arg(bar->width())));
      }
      QCOMPARE(bar->elideMode(), Qt::ElideNone);
    }
    QVERIFY(tabs > 15);
  }

  void aMaximisedWindowIsWithinTheScreen() {
    window().showMaximized();
    QTest::qWait(settled);
    verifyWithinTheScreen(window());
  }

 private:
  void addResult() {
    if (!bench_.session.scan()) return openSmall(bench_, folder_);
    bench_.window.features().reconstruct->run();
    QTRY_COMPARE_WITH_TIMEOUT(bench_.results().rowCount(), 2, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench_.session.jobs().busy(), patience);
  }

  QStringList cutDialogs() {
    QStringList cut;
    forEachDialog(window(), [&](const QAction& action, const QDialog& dialog) {
      const QString name = action.objectName() + QStringLiteral(": ");
      if (!dialog.screen()->availableGeometry().contains(dialog.frameGeometry()))
        cut << name + QStringLiteral("%1 × %2").arg(dialog.width()).arg(dialog.height());
      if (qobject_cast<const QFileDialog*>(&dialog)) return;  // Qt's
      for (const QString& part : cutOff(dialog)) cut << name + part;
    });
    return cut;
  }
};

namespace {

struct Screen {
  const char* name;
  int width, height;  // pixels
  double scale;
};

constexpr std::array screens{Screen{"1024 × 768", 1024, 768, 1},
                             Screen{"1280 × 720", 1280, 720, 1},
                             Screen{"1600 × 1000", 1600, 1000, 1},
                             Screen{"2560 × 1440 at 2", 2560, 1440, 2},
                             Screen{"3840 × 2160 at 2.5", 3840, 2160, 2.5},
                             Screen{"3840 × 2160 at 1", 3840, 2160, 1}};

}  // namespace

class TestScreens : public QObject {
  Q_OBJECT

  const QTemporaryDir folder_;
  std::array<QProcess, screens.size()> children_;
  std::size_t started_ = 0;

  // Most of a child's time is waiting, so several run at a time.
  static constexpr std::size_t together = 3;

  void startNext() {
    if (started_ == screens.size()) return;
    const Screen& screen = screens[started_];
    QProcess& child = children_[started_];
    const QString name = folder_.filePath(QStringLiteral("screen%1.json").arg(started_++));
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QStringLiteral(R"({"screens": [{"name": "one", "x": 0, "y": 0, "width": %1, "height": %2,
                              "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]})")
                   .arg(screen.width)
                   .arg(screen.height)
                   .toUtf8());
    file.close();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    // Qt's offscreen platform has the screen that its file describes.
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen:configfile=") + name);
    environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QString::number(screen.scale));
    environment.insert(
        QString::fromLatin1(screenVariable),
        QStringLiteral("%1x%2").arg(screen.width / screen.scale).arg(screen.height / screen.scale));
    child.setProcessEnvironment(environment);
    child.setProcessChannelMode(QProcess::MergedChannels);
    connect(&child, &QProcess::finished, this, &TestScreens::startNext);
    child.start(QCoreApplication::applicationFilePath(), {QStringLiteral("screens")});
  }

 private Q_SLOTS:
  void initTestCase() {
    while (started_ < together) startNext();
  }

  void theWindowIsWhole_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < screens.size(); ++i) QTest::newRow(screens[i].name) << int(i);
  }
  void theWindowIsWhole() {
    QFETCH(const int, index);
    QProcess& child = children_[std::size_t(index)];
    QTRY_VERIFY_WITH_TIMEOUT(started_ > std::size_t(index) && child.state() == QProcess::NotRunning,
                             childPatience);
    const QByteArray said = child.readAll();
    const bool whole =
        child.exitStatus() == QProcess::NormalExit && child.exitCode() == 0 && said.contains("Totals: ");
    if (!whole) std::fputs(said.constData(), stderr);  // more than Qt Test tells
    QVERIFY(whole);
  }
};

static int runScreens(int argc, char** argv) {
  if (qEnvironmentVariableIsSet(screenVariable)) return test::runWindowTest<TestOneScreen>(argc, argv);
  return test::runTestIn<TestScreens, QCoreApplication>(argc, argv);
}

SPOKELAB_TEST_RUN(&runScreens)

}  // namespace test_screens

#include "test_screens.moc"
