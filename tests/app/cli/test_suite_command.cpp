// suite: killed at any moment, it continues with the unfinished cases.
#include <QtTest>

#include <csignal>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

using spokelab::test::cliEnvironment;
using spokelab::test::CliResult;
using spokelab::test::filesIn;
using spokelab::test::runCli;

class TestSuiteCommand : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  void write(const char* name, const QByteArray& content) const {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
  }
  int finished() const {
    return int(QDir(folder_.filePath("r/cases")).entryList({"*.json"}, QDir::Files).size());
  }

 private slots:
  void initTestCase() {
    write("s.json", R"({"format": "spokelab-suite", "formatVersion": 1, "name": "mine", "cases": [
      {"study": "best-alpha", "sizes": [8, 10, 12, 14, 16, 18], "accelerations": [1, 4], "accuracies": [0.01],
       "patterns": ["radial3d"], "trials": 1},
      {"scan": "demo", "alphas": [2], "widths": [4], "trials": 1}]})");
  }

  void aKilledSuiteGoesOn() {
    QProcess process;
    process.setProcessEnvironment(cliEnvironment(folder_.path()));
    process.setWorkingDirectory(folder_.path());
    process.start(SPOKELAB_CLI, {"suite", "s.json", "-o", "r", "--backend", "cpu"});
    QTRY_VERIFY_WITH_TIMEOUT(finished() >= 2, 60000);
    ::kill(pid_t(process.processId()), SIGKILL);
    QVERIFY(process.waitForFinished());
    const int before = finished();
    const auto r = run({"suite", "s.json", "-o", "r", "--backend", "cpu", "--json", "rows.json"});
    QVERIFY2(r.code == 0, r.err + r.out);
    QCOMPARE(finished(), 13);
    QVERIFY2(r.out.count("  kept ") >= before && r.out.count("  kept ") + r.out.count("  ran ") == 13, r.out);
    QVERIFY(filesIn(folder_.filePath("r")).contains("results.csv"));
    QCOMPARE(filesIn(folder_.filePath("r/cases")).filter(".started").size(), 0);
    const auto again = run({"suite", "s.json", "-o", "r", "--backend", "cpu"});
    QCOMPARE(again.out.count("  kept "), 13);
  }

  void casesAreListedAndFailuresNamed() {
    const auto list = run({"suite", "s.json", "-o", "none", "--list"});
    QVERIFY2(list.code == 0 && list.out.contains("13 cases"), list.out + list.err);
    QVERIFY(!filesIn(folder_.path()).contains("none"));
    write("bad.json", R"({"format": "spokelab-suite", "formatVersion": 1, "cases": [{"scan": "gone.h5"}]})");
    const auto bad = run({"suite", "bad.json", "-o", "b"});
    QCOMPARE(bad.code, 1);
    QVERIFY2(bad.out.contains("failed") && bad.err.contains("1 case of the suite failed"), bad.out + bad.err);
    QCOMPARE(run({"suite", "nothing.json", "-o", "b"}).code, 1);
    QCOMPARE(run({"suite", "s.json"}).code, 2);
  }
};

SPOKELAB_CORE_TEST(TestSuiteCommand)
#include "test_suite_command.moc"
