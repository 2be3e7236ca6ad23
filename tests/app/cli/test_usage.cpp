// The command line explains itself, and says with its exit code what went wrong.
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_usage {

using spokelab::test::filesIn;
using spokelab::test::runCli;

class TestUsage : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

 private slots:
  void helpOfEveryCommandHasExamplesAndExitCodes_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("program") << QStringList{"--help"};
    for (const char* command : {"info", "simulate", "reconstruct", "tune", "sweep", "report"})
      QTest::newRow(command) << QStringList{command, "--help"};
  }

  void helpOfEveryCommandHasExamplesAndExitCodes() {
    QFETCH(QStringList, arguments);
    const auto r = runCli(folder_.path(), arguments);
    QCOMPARE(r.code, 0);
    QVERIFY(r.err.isEmpty());
    QVERIFY(r.out.contains("Examples:"));
    QVERIFY(r.out.contains("Exit codes: 0 done; 1 error"));
    QVERIFY(r.out.contains("130 cancelled by Ctrl-C"));
  }

  void everyReconstructionOptionIsInTheHelp() {
    const auto r = runCli(folder_.path(), {"reconstruct", "--help"});
    for (const char* name :
         {"--accuracy", "--alpha", "--width", "--kernel", "--effort", "--backend", "--threads", "--density",
          "--pipe-menon-iterations", "--combine", "--exact", "--frames", "--slices", "--precision",
          "--memory-limit", "--no-wisdom", "--set", "--json", "--part"})
      QVERIFY2(r.out.contains(name), name);
  }

  void versionNamesTheProgram() {
    const auto r = runCli(folder_.path(), {"--version"});
    QCOMPARE(r.code, 0);
    QVERIFY(r.out.startsWith("spokelab-cli "));
  }

  void whatCannotBeUnderstoodIsExitCode2_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList{};
    QTest::newRow("unknown command") << QStringList{"paint"};
    QTest::newRow("unknown option") << QStringList{"info", "demo", "--no-such-option"};
    QTest::newRow("no file") << QStringList{"info"};
    QTest::newRow("no output") << QStringList{"reconstruct", "demo"};
    QTest::newRow("not a number") << QStringList{"reconstruct", "demo", "-o", "x.png", "--accuracy", "good"};
    QTest::newRow("out of range") << QStringList{"tune", "demo", "--alpha", "7"};
    QTest::newRow("no such choice") << QStringList{"tune", "demo", "--kernel", "hamming"};
    QTest::newRow("no such part") << QStringList{"reconstruct", "demo", "-o", "x.png", "--part", "left"};
    QTest::newRow("not a setting") << QStringList{"info", "demo", "--set", "matrix"};
    QTest::newRow("no such topic") << QStringList{"info", "demo", "--set", "colour=red"};
    QTest::newRow("not a size") << QStringList{"simulate", "-o", "x.h5", "--matrix", "big"};
  }

  void whatCannotBeUnderstoodIsExitCode2() {
    QFETCH(QStringList, arguments);
    const auto r = runCli(folder_.path(), arguments);
    QCOMPARE(r.code, 2);
    QVERIFY(r.out.isEmpty());
    QVERIFY2(r.err.startsWith("spokelab-cli: error: "), r.err);
    QVERIFY2(filesIn(folder_.path()).isEmpty(), qPrintable(filesIn(folder_.path()).join(' ')));
  }

  void whatCannotBeDoneIsExitCode1WithReasonAndRemedy_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("no such file") << QStringList{"info", "missing.h5"};
    QTest::newRow("a folder") << QStringList{"info", "/"};
    QTest::newRow("no folder") << QStringList{"reconstruct", "demo", "-o", "nowhere/x.png"};
    QTest::newRow("below a file") << QStringList{"reconstruct", "demo", "-o", "/dev/null/x.png"};
    QTest::newRow("no format") << QStringList{"reconstruct", "demo", "-o", "x.docx"};
    QTest::newRow("no extension") << QStringList{"reconstruct", "demo", "-o", "x"};
    QTest::newRow("no such frame") << QStringList{"reconstruct", "demo", "-o", "x.png", "--frames", "9"};
    QTest::newRow("slices of a volume") << QStringList{"reconstruct", "demo", "-o", "x.png", "--slices", "3"};
    QTest::newRow("no such backend") << QStringList{"reconstruct", "demo",      "-o",
                                                    "x.png",       "--backend", "cuda"};
    QTest::newRow("out of reach") << QStringList{"reconstruct", "demo", "-o", "x.png", "--accuracy", "1e-12"};
    QTest::newRow("report into a file") << QStringList{"report", "demo", "-o", "/dev/null"};
    QTest::newRow("simulate nowhere") << QStringList{"simulate", "-o", "nowhere/x.h5"};
  }

  void whatCannotBeDoneIsExitCode1WithReasonAndRemedy() {
    QFETCH(QStringList, arguments);
    const auto r = runCli(folder_.path(), arguments);
    QCOMPARE(r.code, 1);
    QVERIFY(r.out.isEmpty());
    QVERIFY2(r.err.startsWith("spokelab-cli: error: "), r.err);
    QVERIFY2(r.err.contains("why:") && r.err.contains("what to do:"), r.err);
    QVERIFY2(filesIn(folder_.path()).isEmpty(), qPrintable(filesIn(folder_.path()).join(' ')));
  }

  void damagedFilesAreExitCode1() {
    QTemporaryDir other;
    QFile empty(other.filePath("empty.h5")), text(other.filePath("text.h5"));
    QVERIFY(empty.open(QIODevice::WriteOnly));
    QVERIFY(text.open(QIODevice::WriteOnly) && text.write("not a scan") > 0);
    empty.close();
    text.close();
    for (const char* name : {"empty.h5", "text.h5"}) {
      const auto r = runCli(folder_.path(), {"info", other.filePath(name)});
      QCOMPARE(r.code, 1);
      QVERIFY2(r.err.contains("why:"), r.err);
    }
  }
};

SPOKELAB_CORE_TEST(TestUsage)

}  // namespace test_usage

#include "test_usage.moc"
