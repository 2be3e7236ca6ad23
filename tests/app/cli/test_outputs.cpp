// Outputs of commands can be read again, appear whole or not at all, and a pipe is silent.
#include <sys/resource.h>
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_outputs {

using spokelab::test::CliResult;
using spokelab::test::filesIn;
using spokelab::test::runCli;

namespace {

QJsonObject parsed(const QByteArray& text) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(text, &error);
  return error.error == QJsonParseError::NoError ? document.object() : QJsonObject();
}

QJsonObject parsedFile(const QString& file) {
  QFile f(file);
  return f.open(QIODevice::ReadOnly) ? parsed(f.readAll()) : QJsonObject();
}

}  // namespace

class TestOutputs : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QString scan_;  // a small scan, simulated by the program itself

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  QString path(const char* name) const { return folder_.filePath(name); }

 private slots:
  void initTestCase() {
    scan_ = path("scan.h5");
    const auto r = run({"simulate", "-o", scan_, "--matrix", "48", "--coils", "3", "--frames", "2"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY(QFileInfo(scan_).size() > 0);
  }

  void infoIsJson() {
    const auto r = run({"info", scan_, "--json", "-"});
    QVERIFY2(r.code == 0, r.err);
    const QJsonObject info = parsed(r.out);
    QVERIFY(info.contains("scan") && info.contains("provenance") && info.contains("backends"));
    QCOMPARE(info["backends"].toArray().size(), 2);
    QVERIFY(info["backends"].toArray()[0].toObject()["usable"].toBool());
    QVERIFY(!info["backends"].toArray()[1].toObject()["usable"].toBool());
  }

  void thePipesCopyGoesWithTheProgram() {
    const QTemporaryDir kept;
    QProcess process;
    QProcessEnvironment environment = spokelab::test::cliEnvironment(folder_.path());
    environment.insert("TMPDIR", kept.path());
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(scan_);
    process.start(SPOKELAB_CLI, {"info", "-"});
    QVERIFY(process.waitForFinished());
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
    QCOMPARE(filesIn(kept.path()), QStringList());
  }

  void stagesSayTheirShareOfTheCeiling() {
    const auto r = run({"reconstruct", scan_, "-o", path("c.npy"), "--alpha", "2", "--width", "4",
                        "--accuracy", "1e-2", "--ceiling", "--json", "-"});
    QVERIFY2(r.code == 0, r.err);
    const QJsonObject ceiling = parsed(r.out)["ceiling"].toObject();
    QVERIFY(ceiling["bytesPerSecond"].toDouble() > 1e8 && ceiling["threads"].toInt() >= 1);
    const auto said = run({"reconstruct", scan_, "-o", path("c.npy"), "--alpha", "2", "--width", "4",
                           "--accuracy", "1e-2", "--ceiling"});
    QVERIFY2(QRegularExpression("spread [^,]* \\([^,]* GB/s, \\d+ %\\)").match(said.out).hasMatch(),
             said.out);
    QVERIFY2(said.out.contains("ceiling "), said.out);
  }

  void infoTellsDecisionsAndMachines() {
    const auto r = run({"info", scan_});
    QCOMPARE(r.code, 0);
    QVERIFY(r.out.contains("2 frames") && r.out.contains("3 coils"));
    QVERIFY(r.out.contains("48 x 48"));
    QVERIFY(r.out.contains("k-unit"));
    QVERIFY(r.out.contains("No GPU: "));
  }

  void aTimeLineHoldsEverySample() {
    for (const char* scheduler : {"tiles", "graph"}) {
      const QString file = path("timeline.json");
      const auto r = run({"tune", scan_, "--effort", "estimate", "--threads", "2", "--scheduler", scheduler,
                          "--timeline", file});
      QVERIFY2(r.code == 0, r.err);
      QVERIFY2(r.out.contains("time line"), r.out);
      const QJsonObject timeline = parsedFile(file);
      QCOMPARE(timeline["format"].toString(), QString("spokelab-timeline"));
      QCOMPARE(timeline["scheduler"].toString(), QString(scheduler));
      double points = 0;
      for (const QJsonValue& value : timeline["intervals"].toArray()) {
        const QJsonObject interval = value.toObject();
        QVERIFY(interval["end"].toDouble() >= interval["begin"].toDouble());
        if (interval["kind"].toString() != "reduction") points += interval["points"].toDouble();
      }
      QVERIFY(points > 0);
      QCOMPARE(points, timeline["points"].toDouble());
    }
    QVERIFY(run({"tune", scan_, "--effort", "estimate", "--timeline", path("no/such/place.json")}).code != 0);
    const auto sparse =
        run({"tune", scan_, "--effort", "estimate", "--spread", "sparse", "--timeline", "x.json"});
    QCOMPARE(sparse.code, 1);
    QVERIFY2(sparse.err.contains("sparse"), sparse.err);
  }

  void aPipeStaysQuiet() {
    for (const QStringList& arguments :
         {QStringList{"info", scan_},
          QStringList{"reconstruct", scan_, "-o", "quiet.npy", "--effort", "estimate"},
          QStringList{"tune", scan_, "--effort", "estimate"}}) {
      const auto r = run(arguments);
      QCOMPARE(r.code, 0);
      QVERIFY2(r.err.isEmpty(), r.err);
      QVERIFY(!r.out.contains('\r') && !r.out.contains('\033'));
    }
  }

  void everyFormatIsWritten() {
    const std::pair<const char*, QByteArray> formats[] = {{"image.nii", {}},
                                                          {"image.nii.gz", "\x1f\x8b"},
                                                          {"image.npy", "\x93NUMPY"},
                                                          {"image.png", "\x89PNG"}};
    for (const auto& [name, magic] : formats) {
      const auto r =
          run({"reconstruct", scan_, "-o", path(name), "--effort", "estimate", "--json", path("r.json")});
      QVERIFY2(r.code == 0, r.err);
      QFile file(path(name));
      QVERIFY(file.open(QIODevice::ReadOnly));
      QVERIFY(file.readAll().startsWith(magic));
      const QJsonObject json = parsedFile(path("r.json"));
      QVERIFY(json.contains("reconstruction") && json.contains("scan"));
    }
    QFile npy(path("image.npy"));
    QVERIFY(npy.open(QIODevice::ReadOnly));
    const QByteArray header = npy.read(128);
    QVERIFY2(header.contains("(2, 1, 48, 48)"), header);
  }

  void thePartIsChosen() {
    const QStringList base{"reconstruct", scan_, "--effort", "estimate", "--frames", "0"};
    QCOMPARE(run(base + QStringList{"-o", path("c.npy")}).code, 0);
    QCOMPARE(run(base + QStringList{"-o", path("m.npy"), "--part", "magnitude"}).code, 0);
    const qint64 c = QFileInfo(path("c.npy")).size(), m = QFileInfo(path("m.npy")).size();
    QCOMPARE(c - m, qint64(48 * 48 * 4));
  }

  void wisdomIsUsedAndCanBeLeftOut() {
    const auto first = run({"tune", scan_, "--accuracy", "2e-3", "--json", "-"});
    const auto second = run({"tune", scan_, "--accuracy", "2e-3", "--json", "-"});
    const auto without = run({"tune", scan_, "--accuracy", "2e-3", "--json", "-", "--no-wisdom"});
    QCOMPARE(first.code + second.code + without.code, 0);
    const auto fromWisdom = [](const CliResult& r) {
      return parsed(r.out)["tuning"].toObject()["fromWisdom"].toBool();
    };
    QVERIFY(!fromWisdom(first));
    QVERIFY(fromWisdom(second));
    QVERIFY(!fromWisdom(without));
  }

  void aSweepIsATable() {
    const auto r = run({"sweep", scan_, "--alphas", "1.25,2", "--widths", "3,4.5", "--csv", path("s.csv"),
                        "--json", path("s.json"), "--measure-error"});
    QVERIFY2(r.code == 0, r.err);
    QFile csv(path("s.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 5);
    for (const QByteArray& line : lines) QCOMPARE(line.count(','), lines[0].count(','));
    QCOMPARE(parsedFile(path("s.json"))["sweep"].toObject()["candidates"].toArray().size(), 4);
    const auto wide = run(
        {"sweep", scan_, "--alphas", "1.25,2", "--widths", "4", "--over", "kernels", "--csv", path("w.csv")});
    QVERIFY2(wide.code == 0, wide.err);
    QFile table(path("w.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    const QByteArray content = table.readAll();
    QCOMPARE(content.trimmed().split('\n').size(), 1 + 3 * 2);
    QCOMPARE(content.count("prolate"), 2);
    QVERIFY(run({"sweep", scan_, "--over", "colours"}).code != 0);
  }

  void aReportIsAFolderThatRepeatsItself() {
    const QString report = path("my report");
    const auto r =
        run({"report", scan_, "-o", report, "--alphas", "1.5,2", "--widths", "4", "--effort", "estimate"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY(r.out.contains("spokelab report"));
    const QStringList files = filesIn(report);
    for (const char* name : {"command.txt", "image.nii.gz", "image.png", "report.html", "report.json",
                             "sweep.csv", "tuning.csv"})
      QVERIFY2(files.contains(name), name);
    QCOMPARE(files.size(), 7);
    QFile command(report + "/command.txt");
    QVERIFY(command.open(QIODevice::ReadOnly));
    const QByteArray line = command.readAll().trimmed();
    QVERIFY2(line.startsWith("spokelab-cli report ") && line.contains("'"), line);
    // Again into the same folder: its files are replaced, other files are kept.
    QFile note(report + "/note.txt");
    QVERIFY(note.open(QIODevice::WriteOnly));
    note.close();
    QCOMPARE(
        run({"report", scan_, "-o", report, "--alphas", "2", "--widths", "4", "--effort", "estimate"}).code,
        0);
    QCOMPARE(filesIn(report).size(), 8);
    QCOMPARE(parsedFile(report + "/report.json")["sweep"].toObject()["candidates"].toArray().size(), 1);
  }

  void aFullDiskLeavesNothingBehind() {
    QTemporaryDir full;
    const auto limit = [] {
      constexpr rlim_t most = 4096;  // bytes a file may have
      const rlimit size{most, most};
      setrlimit(RLIMIT_FSIZE, &size);
    };
    for (const char* name : {"x.npy", "x.nii", "x.nii.gz"}) {
      const auto r = runCli(full.path(),
                            {"reconstruct", scan_, "-o", name, "--no-wisdom", "--effort", "estimate"}, limit);
      QCOMPARE(r.code, 1);
      QVERIFY2(r.err.contains("why:"), r.err);
      QVERIFY2(filesIn(full.path()).isEmpty(), qPrintable(filesIn(full.path()).join(' ')));
    }
    const auto simulated = runCli(full.path(), {"simulate", "-o", "x.h5"}, limit);
    QCOMPARE(simulated.code, 1);
    QVERIFY2(filesIn(full.path()).isEmpty(), qPrintable(filesIn(full.path()).join(' ')));
    const auto report = runCli(
        full.path(),
        {"report", scan_, "-o", "r", "--alphas", "2", "--widths", "4", "--no-wisdom", "--effort", "estimate"},
        limit);
    QCOMPARE(report.code, 1);
    QVERIFY2(filesIn(full.path()).isEmpty(), qPrintable(filesIn(full.path()).join(' ')));
  }

  void standardOutputThatCannotTakeItIsAnError() {
    const auto r = runCli(folder_.path(), {"info", scan_}, {}, "/dev/full");
    QCOMPARE(r.code, 1);
    QVERIFY2(r.err.contains("why:"), r.err);
  }

  void anEarlierResultSurvivesAFailure() {
    const QString file = path("kept.npy");
    QCOMPARE(run({"reconstruct", scan_, "-o", file, "--effort", "estimate"}).code, 0);
    const qint64 size = QFileInfo(file).size();
    QCOMPARE(run({"reconstruct", "missing.h5", "-o", file}).code, 1);
    QCOMPARE(run({"reconstruct", scan_, "-o", file, "--frames", "7"}).code, 1);
    QCOMPARE(QFileInfo(file).size(), size);
  }
};

SPOKELAB_CORE_TEST(TestOutputs)

}  // namespace test_outputs

#include "test_outputs.moc"
