// A result as Python: the scan read or simulated, the options that differ, the image written.
#include <QAction>
#include <QClipboard>
#include <QSignalSpy>

#include "app/gui/session/python_text.h"
#include "engine/core/error.h"
#include "tests/app/gui/workbench.h"

namespace test_copy_python {

using namespace spokelab;

namespace {

QString copied(Workbench& bench) {
  QGuiApplication::clipboard()->clear();
  bench.window.findChild<QAction*>(QStringLiteral("action-copy-python"))->trigger();
  return QGuiApplication::clipboard()->text();
}

}  // namespace

class TestCopyPython : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aFileIsReadAndReconstructed() {
    const QTemporaryDir folder;
    Workbench bench;
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    options.iterative.method = ReconMethod::sense;
    options.iterative.solver.lambda = 0.02;
    options.iterative.solver.iterations = 3;
    openSmall(bench, folder, options);
    const QString text = copied(bench);
    QVERIFY2(text.contains(QStringLiteral("spokelab.read_scan(\"%1\")").arg(smallScan(folder))),
             qPrintable(text));
    for (const char* word : {"import spokelab", "method=\"sense\"", "accuracy=0.01", "lambda_=0.02",
                             "iterations=3", "result.write("})
      QVERIFY2(text.contains(QString::fromUtf8(word)), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("alpha=")), qPrintable(text));  // the plan as it was settled
  }

  void aSimulatedScanIsSimulatedAgain() {
    Workbench bench;
    SimulateOptions options;
    options.trajectory.pattern = Pattern::spiral2d;
    options.trajectory.matrix = {32, 32, 1};
    bench.window.features().scan->simulate(options, false);
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 1 && !bench.session.jobs().busy(), patience);
    const QString text = copied(bench);
    QVERIFY2(text.contains(QStringLiteral("scan = spokelab.simulate(")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("pattern=\"spiral\"")), qPrintable(text));
    // The command line makes the scan first, too.
    bench.window.findChild<QAction*>(QStringLiteral("action-copy-command"))->trigger();
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 2);
    QVERIFY2(lines[0].startsWith(QStringLiteral("spokelab simulate")), qPrintable(lines[0]));
    QVERIFY2(lines[1].startsWith(QStringLiteral("spokelab reconstruct scan.h5")), qPrintable(lines[1]));
  }

  void decisionsAndNamesAreQuoted() {
    Scan scan;
    scan.path = "/a \"b\"/c.h5";
    ReadOptions reading;
    reading.overrides = {{"k-unit", "1/m"}};
    const std::string text = pythonFor(scan, reading, {}, {});
    QVERIFY2(text.find("\"/a \\\"b\\\"/c.h5\", choices={\"k-unit\": \"1/m\"}") != std::string::npos,
             text.c_str());
    QVERIFY2(text.find("reconstruct(scan)") != std::string::npos, text.c_str());
    reading.separate.trajectory = "k.npy";
    QVERIFY_EXCEPTION_THROWN(pythonFor(scan, reading, {}, {}), Error);
  }
};

SPOKELAB_WINDOW_TEST(TestCopyPython)

}  // namespace test_copy_python

#include "test_copy_python.moc"
