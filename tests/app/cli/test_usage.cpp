// The command line explains itself, and says with its exit code what went wrong.
#include <QJsonDocument>
#include <QJsonObject>
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

  void shortVersionIsTheVersion() {
    QCOMPARE(runCli(folder_.path(), {"-V"}).out, runCli(folder_.path(), {"--version"}).out);
  }

  void helpOfACommandIsTheSameInFrontAndBehind() {
    for (const QStringList& command : {QStringList{}, QStringList{"maps"}, QStringList{"wisdom", "merge"}}) {
      const auto inFront = runCli(folder_.path(), QStringList{"help"} + command);
      const auto behind = runCli(folder_.path(), command + QStringList{"--help"});
      QCOMPARE(inFront.code, 0);
      QCOMPARE(inFront.out.trimmed(), behind.out.trimmed());
    }
    const auto unknown = runCli(folder_.path(), {"help", "reconstrcut"});
    QCOMPARE(unknown.code, 1);
    QVERIFY2(unknown.err.contains("Did you mean 'reconstruct'?"), unknown.err);
  }

  void helpKeepsToTheColumnsThatItIsTold() {
    qputenv("COLUMNS", "72");
    const auto r = runCli(folder_.path(), {"reconstruct", "--help"});
    qunsetenv("COLUMNS");
    int longest = 0;
    for (const QString& line : QString::fromUtf8(r.out).split('\n'))
      if (line.contains("  ") && !line.contains("spokelab-cli"))
        longest = std::max(longest, int(line.size()));
    QVERIFY2(longest > 60 && longest <= 72, qPrintable(QString::number(longest)));
  }

  void anUnknownWordIsNamedWithTheNearestName_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("named");
    QTest::addColumn<QByteArray>("meant");
    const auto row = [](const char* name, const QStringList& arguments, const char* named,
                        const char* meant) {
      QTest::newRow(name) << arguments << QByteArray(named) << QByteArray(meant);
    };
    row("command's begin", {"recon", "x"}, "command recon\n", "'reconstruct'");
    row("swapped letters", {"tnue", "demo"}, "command tnue\n", "'tune'");
    row("command of a command", {"wisdom", "mrege"}, "command mrege\n", "'merge'");
    row("option without its value", {"reconstruct", "demo", "-o", "x.npy", "--itterations", "3"},
        "option --itterations\n", "'--iterations'");
    row("option with a value", {"reconstruct", "--acuracy=1e-3", "x"}, "option --acuracy\n", "'--accuracy'");
    row("option of a group", {"wisdom", "forget", "--foriegn"}, "option --foriegn\n", "'--foreign'");
    row("common option", {"tune", "demo", "--plugin", "x"}, "option --plugin\n", "'--plugins'");
    row("nothing is near", {"--bogus"}, "option --bogus\n", "");
    row("value like an option", {"tune", "demo", "--alpha", "-3", "--bogus"}, "option --bogus\n", "");
  }

  void anUnknownWordIsNamedWithTheNearestName() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, named);
    QFETCH(QByteArray, meant);
    const auto r = runCli(folder_.path(), arguments);
    QCOMPARE(r.code, 2);
    QVERIFY2(r.err.contains("Unknown " + named), r.err);
    QCOMPARE(r.err.contains("Did you mean"), !meant.isEmpty());
    QVERIFY2(r.err.contains(meant), r.err);
  }

  void quietSaysNothingAndVerboseSaysEachStep() {
    const QStringList job{"info", "demo", "--json", "info.json"};
    const auto quiet = runCli(folder_.path(), job + QStringList{"--quiet"});
    QCOMPARE(quiet.code, 0);
    QVERIFY2(quiet.out.isEmpty() && quiet.err.isEmpty(), quiet.out + quiet.err);
    QVERIFY(QFile::remove(folder_.filePath("info.json")));
    const auto verbose = runCli(folder_.path(), QStringList{"--verbose", "info", "demo"});
    QCOMPARE(verbose.code, 0);
    QVERIFY2(verbose.err.contains(" s  Reading demo"), verbose.err);
    QVERIFY(!verbose.out.isEmpty());
    QCOMPARE(runCli(folder_.path(), QStringList{"-q", "-v", "info", "demo"}).code, 2);
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

  // Wavelets are shifted unless somebody says no; the numbers tell the options of the run.
  void aFlagThatIsOnCanBeTurnedOff_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<bool>("shifted");
    QTest::newRow("not named") << QStringList{} << true;
    QTest::newRow("named") << QStringList{"--wavelet-shifts"} << true;
    QTest::newRow("no") << QStringList{"--no-wavelet-shifts"} << false;
    QTest::newRow("false") << QStringList{"--wavelet-shifts=false"} << false;
  }
  void aFlagThatIsOnCanBeTurnedOff() {
    QFETCH(const QStringList, words);
    QFETCH(const bool, shifted);
    const auto made =
        runCli(folder_.path(), {"simulate", "-o", "flags.h5", "--matrix", "32", "--coils", "2"});
    QVERIFY2(made.code == 0, made.err);
    const auto r =
        runCli(folder_.path(),
               QStringList{"reconstruct", "flags.h5", "-o", "flags.npy", "--method", "wavelet", "--lambda",
                           "0.01", "--iterations", "2", "--effort", "estimate", "--json", "-"} +
                   words);
    QVERIFY2(r.code == 0, r.err);
    const QJsonObject options = QJsonDocument::fromJson(r.out)["reconstruction"]["options"].toObject();
    QCOMPARE(options["wavelet-shifts"].toVariant().toString(), QString(shifted ? "true" : "false"));
    QCOMPARE(options["exact"].toVariant().toString(), QString("false"));
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
