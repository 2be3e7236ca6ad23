// The Python console: a Python with the package is found, shows arrays in this window, gets its image and
// scan, is interrupted, and ends with the window.
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QToolButton>

#include <csignal>
#include <fstream>

#include "app/gui/features/console_feature.h"
#include "app/gui/features/scan/show_feature.h"
#include "tests/app/gui/image/numpy_program.h"
#include "tests/app/gui/workbench.h"
#include "widgets/recon/jobs/console_view.h"

namespace test_console {

using namespace spokelab;

namespace {

// A package of this name with what the console needs of it: the real one takes a build of its module.
void makePackage(const QTemporaryDir& folder) {
  std::filesystem::create_directories((folder.path() + QStringLiteral("/spokelab")).toStdString());
  std::ofstream out(folder.filePath(QStringLiteral("spokelab/__init__.py")).toStdString());
  out << "import sys\nsys.path.insert(0, '" SPOKELAB_SOURCE_DIR
         "/app/python/spokelab')\nsys.dont_write_bytecode = True\nfrom _show import show\n"
         "__version__ = 'of a test'\ndef read_scan(name, **more): return 'scan of ' + name\n";
}

}  // namespace

class TestConsole : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() {
    for (const char* name : {"PYTHONPATH", "SPOKELAB_PYTHON"}) qunsetenv(name);
  }

  void pythonAndTheWindowShareArrays() {
    const QString python = pythonWithNumpy();
    if (python.isEmpty()) QSKIP("there is no Python with NumPy");
    const QTemporaryDir folder;
    makePackage(folder);
    qputenv("PYTHONPATH", folder.path().toUtf8());
    qputenv("SPOKELAB_PYTHON", python.toUtf8());
    Workbench bench;
    openSmall(bench, folder);
    bench.window.features().show->listenIn(folder.filePath(QStringLiteral("sockets")).toStdString());
    ConsoleFeature& console = *bench.window.features().console;
    ConsoleView& view = *console.view();
    QVERIFY(!view.line()->isEnabled());
    QTest::mouseClick(view.findChild<QToolButton*>(QStringLiteral("consoleStart")), Qt::LeftButton);
    const auto says = [&view](const char* text) { return view.text().contains(QString::fromUtf8(text)); };
    QTRY_VERIFY2_WITH_TIMEOUT(says("with spokelab of a test"), qPrintable(view.text()), patience);
    QTest::keyClicks(view.line(), QStringLiteral("6 * 7"));
    QTest::keyClick(view.line(), Qt::Key_Return);
    QTRY_VERIFY2_WITH_TIMEOUT(says("42"), qPrintable(view.text()), patience);
    QTest::keyClick(view.line(), Qt::Key_Up);
    QCOMPARE(view.line()->text(), QStringLiteral("6 * 7"));
    QTest::keyClick(view.line(), Qt::Key_Down);
    QVERIFY(view.line()->text().isEmpty());

    console.run(QStringLiteral("show(np.ones((8, 6)), name='made here')['result']"));
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.shown()->result->plan.description, std::string("made here"),
                              patience);
    console.sendImage();
    QTRY_VERIFY2_WITH_TIMEOUT(says("(1, 1, 8, 6)"), qPrintable(view.text()), patience);
    console.sendScan();
    QTRY_VERIFY2_WITH_TIMEOUT(says("scan of /"), qPrintable(view.text()), patience);

    console.run(QStringLiteral("import time; print('asleep'); time.sleep(1000)"));
    QTRY_VERIFY2_WITH_TIMEOUT(view.text().count(QStringLiteral("asleep")) > 1, qPrintable(view.text()),
                              patience);
    QTest::keyClick(view.line(), Qt::Key_C, Qt::ControlModifier);
    QTRY_VERIFY2_WITH_TIMEOUT(says("KeyboardInterrupt"), qPrintable(view.text()), patience);
    console.run(QStringLiteral("exit()"));
    QTRY_VERIFY_WITH_TIMEOUT(!view.isRunning(), patience);
  }

  void withoutThePackageItSaysSo() {
    qputenv("SPOKELAB_PYTHON", "/no/python");
    Workbench bench;
    ConsoleFeature& console = *bench.window.features().console;
    console.start();
    QTRY_VERIFY_WITH_TIMEOUT(console.view()->text().contains(QStringLiteral("SPOKELAB_PYTHON")), patience);
    QVERIFY(!console.view()->isRunning());
  }
};

SPOKELAB_WINDOW_TEST(TestConsole)

}  // namespace test_console

#include "test_console.moc"
