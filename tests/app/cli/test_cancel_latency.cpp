// Ctrl-C ends a running command cleanly: soon, with its own exit code, and without a file.
#include <QtTest>
#include <csignal>
#include <random>

#include "tests/app/cli/run_cli.h"
#include "tests/campaign.h"
#include "tests/test_main.h"
#include "tests/thread_time.h"

using spokelab::test::campaignFactor;
using spokelab::test::campaignSeed;
using spokelab::test::cliEnvironment;
using spokelab::test::countCases;
using spokelab::test::filesIn;
using spokelab::test::runCli;

class TestCancelLatency : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

 private slots:
  void initTestCase() {
    const auto r = runCli(folder_.path(), {"simulate", "-o", "scan.h5", "--matrix", "256", "--coils", "4"});
    QVERIFY2(r.code == 0, r.err);
  }

  void ctrlCEndsTheCommand_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("number");
    QTest::addColumn<int>("code");
    const QStringList sweep{"sweep",    "scan.h5", "--alphas", "1.25,1.5,1.75,2", "--widths", "3,4,5,6,7,8",
                            "--trials", "200",     "--csv",    "s.csv",           "--json",   "s.json"};
    QTest::newRow("sweep") << sweep << SIGINT << 130;
    QTest::newRow("sweep, SIGTERM") << sweep << SIGTERM << 143;
    QTest::newRow("report") << QStringList{"report", "scan.h5",  "-o",  "report",   "--alphas",
                                           "1.5,2",  "--trials", "500", "--effort", "estimate"}
                            << SIGINT << 130;
    QTest::newRow("exact") << QStringList{"reconstruct", "scan.h5", "-o", "x.npy", "--exact"} << SIGINT
                           << 130;
  }

  void ctrlCEndsTheCommand() {
    QFETCH(QStringList, arguments);
    QFETCH(int, number);
    QFETCH(int, code);
    const QStringList before = filesIn(folder_.path());
    QProcess process;
    process.setProcessEnvironment(cliEnvironment(folder_.path()));
    process.setWorkingDirectory(folder_.path());
    process.start(SPOKELAB_CLI, arguments);
    QVERIFY(process.waitForStarted());
    QVERIFY2(!process.waitForFinished(700), "the command was over before it could be cancelled");
    QElapsedTimer timer;
    timer.start();
    ::kill(pid_t(process.processId()), number);
    QVERIFY(process.waitForFinished(30000));
    const qint64 milliseconds = timer.elapsed();
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), code);
    QVERIFY(process.readAllStandardOutput().isEmpty());
    QVERIFY(process.readAllStandardError().contains("cancelled"));
    // Wisdom may have grown: what was tuned, and what a job took that was over before the cancel.
    const auto isWisdom = [](const QString& name) { return name.startsWith("wisdom.json"); };
    QStringList after = filesIn(folder_.path()), expected = before;
    after.removeIf(isWisdom);
    expected.removeIf(isWisdom);
    QCOMPARE(after, expected);
    // 100 ms to notice, and room for a call into the FFT, and for leaving.
    if (milliseconds >= 600 && spokelab::loadedMachine())
      QSKIP("programs beside the test want more processors than there are: its time says nothing");
    QVERIFY2(milliseconds < 600, QByteArray::number(milliseconds));
  }

  // At any moment of any command that may take long: it is over, or ends within two seconds.
  void sigtermEndsEveryCommand_data() {
    QTest::addColumn<QStringList>("arguments");
    const QString scan = "scan.h5";
    const QList<QStringList> commands = {
        {"info", scan, "--check"},
        {"simulate", "-o", "more.h5", "--matrix", "768", "--coils", "16"},
        {"reconstruct", scan, "-o", "a.npy", "--alpha", "2"},
        {"reconstruct", scan, "-o", "b.npy", "--method", "sense", "--iterations", "500", "--tolerance", "0"},
        {"tune", scan, "--effort", "exhaustive"},
        {"tune", scan, "--direction", "normal", "--effort", "exhaustive"},
        {"sweep", scan, "--trials", "500", "--json", "sweep.json"},
        {"report", scan, "-o", "rep"},
        {"study", "alpha"},
        {"baseline", scan, "--save", "base.json"}};
    for (const QStringList& command : commands) QTest::newRow(qPrintable(command.join(' '))) << command;
  }
  void sigtermEndsEveryCommand() {
    QFETCH(QStringList, arguments);
    constexpr int longestDelay = 900;  // ms
    std::mt19937 random(campaignSeed(61 + unsigned(qHash(arguments.join(' ')) % 1000)));
    const int runs = std::min(campaignFactor(), 5);
    for (int run = 0; run < runs; ++run) {
      QProcess process;
      process.setProcessEnvironment(cliEnvironment(folder_.path()));
      process.setWorkingDirectory(folder_.path());
      process.start(SPOKELAB_CLI, arguments);
      QVERIFY(process.waitForStarted());
      const int delay = std::uniform_int_distribution<int>(20, longestDelay)(random);
      if (process.waitForFinished(delay)) {  // too quick for it
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
        continue;
      }
      QElapsedTimer timer;
      timer.start();
      ::kill(pid_t(process.processId()), SIGTERM);
      QVERIFY(process.waitForFinished(30'000));
      const qint64 milliseconds = timer.elapsed();
      constexpr qint64 most = 2300;
      if (milliseconds >= most && spokelab::loadedMachine())
        QSKIP("programs beside the test want more processors than there are: its time says nothing");
      QVERIFY2(milliseconds < most,
               QByteArray::number(milliseconds) + " ms, sent after " + QByteArray::number(delay) + " ms");
    }
    countCases("commands that got SIGTERM", runs);
  }
};

SPOKELAB_CORE_TEST(TestCancelLatency)
#include "test_cancel_latency.moc"
