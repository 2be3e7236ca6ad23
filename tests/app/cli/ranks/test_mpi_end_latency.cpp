// mpirun spokelab-cli reconstruct, ended from outside: a killed rank, a signal to mpirun or to one
// rank. All ranks are gone within 5 s, and nothing is left on disk.
#include <QtTest>

#include <cerrno>
#include <csignal>

#include "tests/app/cli/ranks/mpi_run.h"
#include "tests/test_main.h"

using namespace spokelab::test;

class TestMpiEndLatency : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QString script_;
  static constexpr int ranks = 4;

  // Process of a rank that has begun; 0: not yet.
  pid_t processOf(int rank) const {
    QFile file(folder_.filePath(QString("pid.%1").arg(rank)));
    return file.open(QIODevice::ReadOnly) ? pid_t(file.readAll().trimmed().toInt()) : 0;
  }
  bool allBegan() const {
    for (int r = 0; r < ranks; ++r)
      if (processOf(r) == 0) return false;
    return true;
  }
  bool isGone(int rank) const { return ::kill(processOf(rank), 0) != 0 && errno == ESRCH; }

 private Q_SLOTS:
  void initTestCase() {
    if (mpiLaunchers().empty()) QSKIP("no MPI: neither Open MPI nor MPICH was found with its module");
    script_ = writeRankScript(folder_.path());
    const CliResult made = runCli(folder_.path(), {"simulate", "--pattern", "golden-radial", "--matrix",
                                                   "192", "--coils", "8", "--noise", "0.002", "-o", "s.h5"});
    QVERIFY2(made.code == 0, made.err);
  }

  void allEndWithOne_data() {
    QTest::addColumn<int>("launcher");
    QTest::addColumn<int>("rank");  // -1: the launcher
    QTest::addColumn<int>("signal");
    const auto launchers = mpiLaunchers();
    for (std::size_t i = 0; i < launchers.size(); ++i) {
      const auto row = [&](const char* what, int rank, int signal) {
        QTest::newRow(qPrintable(launchers[i].name + ", " + what)) << int(i) << rank << signal;
      };
      row("a rank killed", 2, SIGKILL);
      row("rank 0 killed", 0, SIGKILL);
      row("Ctrl-C on mpirun", -1, SIGINT);
      row("SIGTERM to mpirun", -1, SIGTERM);
      row("SIGTERM to a rank", 1, SIGTERM);
    }
  }
  void allEndWithOne() {
    QFETCH(const int, launcher);
    QFETCH(const int, rank);
    QFETCH(const int, signal);
    for (int r = 0; r < ranks; ++r) QFile::remove(folder_.filePath(QString("pid.%1").arg(r)));
    const MpiLauncher chosen = mpiLaunchers()[std::size_t(launcher)];
    const QStringList before = filesIn(folder_.path());
    QProcess process;
    process.setProcessEnvironment(mpiEnvironment(folder_.path()));
    process.setWorkingDirectory(folder_.path());
    process.start(chosen.program,
                  mpiArguments(chosen, ranks, script_,
                               {"reconstruct", "s.h5", "-o", "image.npy", "--method", "sense", "--alpha", "2",
                                "--width", "6", "--transform", "nufft", "--iterations", "10000",
                                "--regularization", "tv", "--lambda", "0.01"}));
    QTRY_VERIFY_WITH_TIMEOUT(allBegan(), 30000);
    QTest::qWait(1500);  // into the iterations
    QVERIFY2(process.state() == QProcess::Running, process.readAllStandardError());
    QElapsedTimer clock;
    clock.start();
    ::kill(rank < 0 ? pid_t(process.processId()) : processOf(rank), signal);
    constexpr int limit = 5000;  // ms
    QVERIFY2(process.waitForFinished(limit), process.readAllStandardError());
    for (int r = 0; r < ranks; ++r)
      QTRY_VERIFY_WITH_TIMEOUT(isGone(r), std::max(1, limit - int(clock.elapsed())));
    QVERIFY(process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0);
    const QByteArray said = process.readAllStandardError() + process.readAllStandardOutput();
    QVERIFY2(!said.contains("written"), said);
    QStringList after = filesIn(folder_.path());
    after.removeIf([](const QString& name) { return name.startsWith("pid."); });
    QStringList kept = before;
    kept.removeIf([](const QString& name) { return name.startsWith("pid."); });
    QCOMPARE(after, kept);
  }
};

SPOKELAB_CORE_TEST(TestMpiEndLatency)
#include "test_mpi_end_latency.moc"
