// remote: a command on another machine, through a stand-in for ssh that runs it in another home;
// its log and outputs come back, a cut connection ends the wait and not the job.
#include <QtTest>

#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <random>

#include "tests/app/cli/run_cli.h"
#include "tests/campaign.h"
#include "tests/test_main.h"

namespace test_remote {

using namespace spokelab::test;

class TestRemote : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  QString here() const { return folder_.filePath("here"); }
  QString there() const { return folder_.filePath("there"); }
  QString jobsThere() const { return there() + "/.cache/spokelab/jobs"; }
  QProcessEnvironment environment() const {
    QProcessEnvironment environment = cliEnvironment(here());
    environment.insert("HOME", here());
    environment.remove("XDG_DATA_HOME");
    environment.insert("SPOKELAB_SSH", folder_.filePath("ssh"));
    environment.insert("THERE", there());
    return environment;
  }
  // `mischief`: what the machine does instead of sending outputs ("lose", or the file that it
  // sends).
  CliResult run(const QStringList& arguments, const QString& cut = {}, const QString& mischief = {}) const {
    QProcess process;
    QProcessEnvironment all = environment();
    if (!cut.isEmpty()) all.insert("CUT_AFTER", cut);
    if (!mischief.isEmpty()) all.insert("MISCHIEF", mischief);
    process.setProcessEnvironment(all);
    process.setWorkingDirectory(here());
    const QStringList program =
        arguments.contains("--program") ? QStringList() : QStringList{"--program", SPOKELAB_CLI};
    process.start(SPOKELAB_CLI, QStringList{"remote"} + program + arguments);
    CliResult result;
    if (process.waitForFinished(120000) && process.exitStatus() == QProcess::NormalExit)
      result.code = process.exitCode();
    result.out = process.readAllStandardOutput();
    result.err = process.readAllStandardError();
    return result;
  }
  QStringList jobs() const { return QDir(jobsThere()).entryList(QDir::Dirs | QDir::NoDotAndDotDot); }
  static QByteArray contentOf(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  static int modeOf(const QString& name) {
    struct stat status {};
    return ::stat(name.toUtf8(), &status) == 0 ? int(status.st_mode & 0777) : -1;
  }
  QString records() const { return here() + "/.local/share/spokelab/remote"; }
  QStringList recorded() const { return QDir(records()).entryList(QDir::Files); }
  void dropJobs() const {
    QDir(jobsThere()).removeRecursively();
    QDir(records()).removeRecursively();
  }
  const QStringList quick_ = {"reconstruct", "s.h5",    "-o", "o9.npy",    "--alpha",
                              "2",           "--width", "4",  "--threads", "1"};
  const QStringList long_ = {
      "reconstruct",      "s.h5", "-o",      "long.npy", "--method", "sense", "--iterations", "10000",
      "--regularization", "tv",   "--alpha", "2",        "--width",  "6",     "--transform",  "nufft"};

 private Q_SLOTS:
  void initTestCase() {
    QDir().mkpath(here());
    QDir().mkpath(there());
    QFile ssh(folder_.filePath("ssh"));
    QVERIFY(ssh.open(QIODevice::WriteOnly));
    // ssh -- HOST SCRIPT. A wait is cut after CUT_AFTER seconds, as ssh ends then: with 255.
    ssh.write(R"(#!/bin/sh
[ "$1" = -- ] && [ "$2" = node7 ] || { echo "ssh: no such host" >&2; exit 255; }
export HOME="$THERE"; cd "$HOME"
case $3 in
  *"while :"*) [ -z "$CUT_AFTER" ] || { timeout "$CUT_AFTER" sh -c "$3"; exit 255; } ;;
  *"echo end"*) case $MISCHIEF in
    "") ;;
    lose) find "$HOME/.cache/spokelab/jobs" -path '*'/results/'*' -type f -delete ;;
    *) cat "$MISCHIEF"; exit 0 ;;
  esac ;;
esac
exec sh -c "$3"
)");
    ssh.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    ssh.close();
    const CliResult made = runCli(
        here(), {"simulate", "--pattern", "golden-radial", "--matrix", "64", "--coils", "4", "-o", "s.h5"});
    QVERIFY2(made.code == 0, made.err);
    QVERIFY(QFile::copy(here() + "/s.h5", there() + "/there.h5"));
  }

  void theResultIsThatOfThisMachine() {
    const QStringList plan = {"--alpha", "2", "--width", "6", "--threads", "1"};
    QVERIFY(runCli(here(), QStringList{"reconstruct", "s.h5", "-o", "local.npy"} + plan).code == 0);
    const CliResult r =
        run(QStringList{"node7", "reconstruct", "s.h5", "-o", "far.npy", "--json=far.json"} + plan);
    QVERIFY2(r.code == 0, r.err + r.out);
    QVERIFY2(r.out.contains("plan") && r.out.contains("fetched") && !r.out.contains("progress "), r.out);
    QVERIFY(!contentOf(here() + "/far.npy").isEmpty());
    QCOMPARE(contentOf(here() + "/far.npy"), contentOf(here() + "/local.npy"));
    QVERIFY(contentOf(here() + "/far.json").contains("\"provenance\""));
    QVERIFY(jobs().isEmpty());
    QVERIFY(QDir(here() + "/.local/share/spokelab/remote").entryList(QDir::Files).isEmpty());
    // A file that is there alone.
    const CliResult away =
        run(QStringList{"node7", "reconstruct", there() + "/there.h5", "-o", "away.npy"} + plan);
    QVERIFY2(away.code == 0, away.err + away.out);
    QCOMPARE(contentOf(here() + "/away.npy"), contentOf(here() + "/local.npy"));
  }

  void aCommandWithoutOutputsIsDone() {
    const CliResult r = run({"node7", "info", "s.h5"});
    QVERIFY2(r.code == 0, r.err + r.out);
    QVERIFY2(r.out.contains("4 coils") && !r.out.contains("fetched"), r.out);
    QVERIFY(jobs().isEmpty() && recorded().isEmpty());
  }

  void namesTravelAsBytes() {
    for (const char* name : {"caf\\351.npy", "x\\376y.npy", "two\\nlines.npy"}) {
      QProcess process;
      process.setProcessEnvironment(environment());
      process.setWorkingDirectory(here());
      process.start("/bin/sh", {"-c",
                                "exec \"$0\" remote --program \"$0\" node7 reconstruct s.h5 -o \"$(printf '" +
                                    QString(name) + "')\" --alpha 2 --width 4 --threads 1",
                                SPOKELAB_CLI});
      QVERIFY(process.waitForFinished(120000));
      QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
      QVERIFY(process.readAllStandardOutput().contains("fetched"));
      QVERIFY(jobs().isEmpty() && recorded().isEmpty());
    }
    const std::filesystem::path folder = here().toStdString();
    for (const char* name : {"caf\351.npy", "caf\351.npy.json", "x\376y.npy", "two\nlines.npy"})
      QVERIFY2(std::filesystem::file_size(folder / name) > 0, name);
  }

  void picturesComeBack() {
    const CliResult r = run({"node7", "reconstruct", "s.h5", "-o", "pics/", "--alpha", "2", "--width", "4"});
    QVERIFY2(r.code == 0, r.err + r.out);
    QVERIFY(contentOf(here() + "/pics/frame0_slice0.png").startsWith("\x89PNG"));
  }

  void aLostOutputIsAnErrorAndTheJobIsKept() {
    const CliResult r = run(QStringList{"node7"} + quick_, {}, "lose");
    QVERIFY2(r.code == 1 && r.err.contains("has no") && r.err.contains("o9.npy"), r.err + r.out);
    QVERIFY2(r.err.contains("remote --job"), r.err);
    QVERIFY(!QFile::exists(here() + "/o9.npy"));
    QCOMPARE(jobs().size(), 1);
    QCOMPARE(recorded().size(), 1);
    QCOMPARE(modeOf(records() + '/' + recorded().front()), 0600);
    QCOMPARE(modeOf(jobsThere() + '/' + jobs().front()), 0700);
    QVERIFY(jobs().front().section('-', 2).size() == 16);  // 64 random bits
    dropJobs();
  }

  void aHostileMachineFillsOnlyOutputs_data() {
    QTest::addColumn<QByteArray>("sent");
    const QByteArray one = "file 0 3\nabc";
    QTest::newRow("an archive") << QByteArray("./home\0\0\0\0ustar", 16) + QByteArray(4000, '\0');
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no outputs") << QByteArray("none 0\nnone 1\nend\n");
    QTest::newRow("an output twice") << one + one + "none 1\nend\n";
    QTest::newRow("the second one first") << QByteArray("file 1 3\nabcfile 0 3\nabcend\n");
    QTest::newRow("one more") << one + "none 1\nfile 2 3\nabcend\n";
    QTest::newRow("a file of no folder") << one + "none 1\nmore 0 3 o9_secret.txt\nabcend\n";
    QTest::newRow("a path") << one + "none 1\nfile ../../o9_secret.txt 3\nabcend\n";
    QTest::newRow("a negative size") << QByteArray("file 0 -3\nabcend\n");
    QTest::newRow("no room for it") << QByteArray("file 0 9000000000000000000\nabc");
    QTest::newRow("behind the end") << one + "none 1\nend\nfile 1 3\nabc";
    QTest::newRow("half a file") << QByteArray("file 0 30\nabc");
    QTest::newRow("an endless line") << QByteArray(100000, 'x');
  }
  void aHostileMachineFillsOnlyOutputs() {
    QFETCH(QByteArray, sent);
    const QString script = folder_.filePath("sent"), secret = here() + "/o9_secret.txt";
    for (const auto& [name, content] : {std::pair(script, sent), std::pair(secret, QByteArray("mine"))}) {
      QFile file(name);
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    }
    const QStringList before = filesIn(here());
    const CliResult r = run(QStringList{"node7"} + quick_, {}, script);
    QVERIFY2(r.code == 1 && r.err.contains("error: "), r.err + r.out);
    QStringList after = filesIn(here());
    after.removeAll("o9.npy");  // the one name that the machine may fill
    QCOMPARE(after, before);
    QCOMPARE(contentOf(secret), QByteArray("mine"));
    QCOMPARE(jobs().size(), 1);
    QCOMPARE(recorded().size(), 1);
    QFile::remove(here() + "/o9.npy");
    dropJobs();
  }

  void randomAnswersOfAHostileMachineDoToo() {
    std::mt19937 random(campaignSeed(53));
    const QList<QByteArray> parts = {"file 0 3\n",
                                     "file 1 2\n",
                                     "none 0\n",
                                     "none 1\n",
                                     "more 0 1 a.png\n",
                                     "end\n",
                                     "abc",
                                     "\n",
                                     "file 0 0\n",
                                     "ab",
                                     "file 1 4\n",
                                     "\0\xff",
                                     "../x\n",
                                     "none 18446744073709551616\n"};
    const QString script = folder_.filePath("sent");
    const int cases = 3 * campaignFactor();
    for (int i = 0; i < cases; ++i) {
      QByteArray sent;
      for (int n = int(random() % 8); n >= 0; --n) sent += parts[int(random() % unsigned(parts.size()))];
      QFile file(script);
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write(sent) == sent.size());
      file.close();
      const QStringList before = filesIn(here());
      const CliResult r = run(QStringList{"node7"} + quick_, {}, script);
      QVERIFY2(r.code == 0 || (r.code == 1 && r.err.contains("error: ")), sent.toHex() + r.err);
      QStringList after = filesIn(here());
      for (const char* own : {"o9.npy", "o9.npy.json"}) after.removeAll(own);
      QCOMPARE(after, before);
      QCOMPARE(jobs().isEmpty(), r.code == 0);
      for (const char* own : {"/o9.npy", "/o9.npy.json"}) QFile::remove(here() + own);
      dropJobs();
    }
    countCases("answers of a hostile machine", cases);
  }

  void whatCameToTheOutputsPlaceMeanwhileIsKept() {
    QCOMPARE(run(QStringList{"node7"} + quick_, {}, "lose").code, 1);
    dropJobs();
    const CliResult cut = run(QStringList{"node7"} + quick_, "0.01");
    QVERIFY2(cut.code == 1, cut.out);
    QFile mine(here() + "/o9.npy");
    QVERIFY(mine.open(QIODevice::WriteOnly) && mine.write("my own notes") > 0);
    mine.close();
    QCOMPARE(jobs().size(), 1);
    const CliResult r = run({"--job", jobs().front(), "node7"});
    QVERIFY2(r.code == 1 && r.err.contains("that Spokelab did not write"), r.err + r.out);
    QCOMPARE(contentOf(mine.fileName()), QByteArray("my own notes"));
    QCOMPARE(jobs().size(), 1);
    QVERIFY(mine.remove());
    QCOMPARE(run({"--job", jobs().front(), "node7"}).code, 0);
    QVERIFY(contentOf(mine.fileName()).startsWith("\x93NUMPY"));
    QVERIFY(mine.remove() && jobs().isEmpty());
  }

  void failuresComeBackWithTheirReason() {
    const CliResult gone = run({"node7", "reconstruct", "/nowhere/x.h5", "-o", "none.npy"});
    QVERIFY2(gone.code == 1 && gone.out.contains("Cannot read /nowhere/x.h5"), gone.out + gone.err);
    QVERIFY2(gone.err.contains("code 1 on node7"), gone.err);
    QVERIFY(jobs().isEmpty() && !QFile::exists(here() + "/none.npy"));
    const CliResult unreachable = run({"node8", "info", "s.h5"});
    QVERIFY2(unreachable.code == 1 && unreachable.err.contains("ssh could not connect"), unreachable.err);
    QVERIFY2(unreachable.err.contains("ssh: no such host") && unreachable.err.contains("Try: ssh node8"),
             unreachable.err);
    const CliResult missing = run({"--program", "nothing-here", "node7", "info", "s.h5"});
    QVERIFY2(missing.code == 1 && missing.err.contains("no program nothing-here"), missing.err);
    const CliResult option = run({"--", "-oProxyCommand=touch x", "info", "s.h5"});
    QVERIFY2(option.code != 0 && !QFile::exists(here() + "/x"), option.err);
    QVERIFY2(run({"node7", "reconstruct", "s.h5"}).err.contains("cannot be understood"),
             "no output is named");
    QCOMPARE(run({"node7"}).code, 1);
    QCOMPARE(run({}).code, 2);
    QCOMPARE(run({"node7", "remote", "node8", "info", "s.h5"}).code, 1);
    QVERIFY(run({"--job", "../x", "node7"}).err.contains("its number is malformed"));
    QVERIFY(run({"--job", "20260101-000000-ffff", "node7"}).code == 1);
  }

  void aProgramOfAnotherVersionIsRefused() {
    QFile other(folder_.filePath("other"));
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write("#!/bin/sh\necho spokelab-cli 99.1.0\n");
    other.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    other.close();
    const CliResult r = run({"--program", other.fileName(), "node7", "info", "s.h5"});
    QVERIFY2(r.code == 1 && r.err.contains("99.1.0") && r.err.contains("the same version"), r.err);
    QVERIFY(jobs().isEmpty());
  }

  void aCutConnectionEndsTheWaitAndNotTheJob() {
    const CliResult cut = run(QStringList{"node7"} + long_, "1.5");
    QVERIFY2(cut.code == 1 && cut.err.contains("lost the connection"), cut.err + cut.out);
    QCOMPARE(jobs().size(), 1);
    QVERIFY2(cut.err.contains("remote --job " + jobs().front().toUtf8()), cut.err);
    const auto running = [&] {
      const pid_t process = pid_t(contentOf(jobsThere() + '/' + jobs().front() + "/pid").trimmed().toInt());
      return process > 0 && ::kill(process, 0) == 0;
    };
    QVERIFY(running());
    const CliResult listed = run({"--list"});
    QVERIFY2(listed.code == 0 && listed.out.contains(jobs().front().toUtf8()) &&
                 listed.out.contains("reconstruct s.h5") && listed.out.contains("1 job"),
             listed.out + listed.err);
    // Stopped from here: iterations keep their last image, which is fetched.
    const CliResult stopped = run({"--job", jobs().front(), "--stop", "node7"});
    QVERIFY2(stopped.code == 1 && stopped.err.contains("code 143"), stopped.err + stopped.out);
    QVERIFY(run({"--list"}).out.contains("0 jobs"));
    QVERIFY(jobs().isEmpty());
  }

  void aCancelHereLeavesTheJobThere() {
    QProcess process;
    process.setProcessEnvironment(environment());
    process.setWorkingDirectory(here());
    process.start(SPOKELAB_CLI, QStringList{"remote", "--program", SPOKELAB_CLI, "node7"} + long_);
    QTRY_VERIFY_WITH_TIMEOUT(jobs().size() == 1 && QFile::exists(jobsThere() + '/' + jobs().front() + "/pid"),
                             30000);
    QTest::qWait(1000);
    ::kill(pid_t(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(10000));
    QCOMPARE(process.exitCode(), 130);
    QVERIFY(process.readAllStandardError().contains("the job continues"));
    QCOMPARE(jobs().size(), 1);
    QCOMPARE(run({"--job", jobs().front(), "--stop", "node7"}).code, 1);
    QVERIFY(jobs().isEmpty());
  }
};

SPOKELAB_CORE_TEST(TestRemote)

}  // namespace test_remote

#include "test_remote.moc"
