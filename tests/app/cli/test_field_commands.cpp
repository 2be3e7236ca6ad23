// Iterative reconstruction from the command line: what it says, the maps it uses, the bench of
// field corrections, and that Ctrl-C inside the iterations keeps the last image.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QtTest>
#include <csignal>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_field_commands {

using spokelab::test::cliEnvironment;
using spokelab::test::runCli;

class TestFieldCommands : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  QJsonObject json(const QString& name) {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
  }

 private slots:
  void initTestCase() {
    const auto r = runCli(folder_.path(), {"simulate", "-o", "scan.h5", "--pattern", "spiral", "--matrix",
                                           "48", "--shots", "4", "--coils", "2", "--dwell", "20", "--field",
                                           "head", "--field-peak", "100", "--field-file", "field.nii.gz"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY2(r.out.contains("--field-map field.nii.gz"), r.out);  // what the map is for
    const auto without = runCli(folder_.path(), {"simulate", "-o", "other.h5", "--pattern", "spiral",
                                                 "--matrix", "16", "--field", "head", "--field-peak", "100"});
    QVERIFY2(without.code == 0 && without.out.contains("--field-file"), without.out);
  }

  void aFieldCorrectedReconstructionSaysWhatItChoseAndWhy() {
    const auto r =
        runCli(folder_.path(), {"reconstruct", "scan.h5", "-o", "x.nii.gz", "--method", "sense",
                                "--field-map", "field.nii.gz", "--iterations", "7", "--json", "x.json"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY(r.out.contains("Without the field the error would be "));
    QVERIFY(r.out.contains("iterations"));
    const QJsonObject result = json("x.json")["reconstruction"].toObject();
    const QJsonObject iterations = result["iterations"].toArray().first().toObject();
    QCOMPARE(iterations["residuals"].toArray().size(), 7);
    QCOMPARE(iterations["seconds"].toArray().size(), 7);
    QCOMPARE(iterations["ending"].toString(), QStringLiteral("all iterations were done"));
  }

  void withoutDensityWeightsAResultSaysHowFarItMayBe() {
    for (const char* weights : {"none", "density"}) {
      const auto r = runCli(folder_.path(), {"reconstruct", "scan.h5", "-o", "x.nii.gz", "--method", "sense",
                                             "--data-weights", weights, "--iterations", "3"});
      QVERIFY2(r.code == 0, r.err);
      QCOMPARE(r.out.contains("not converged after 3 iterations"), weights == QByteArray("none"));
    }
  }

  void aSweepGoesOverEveryWayThroughTheField() {
    const auto r = runCli(folder_.path(),
                          {"sweep", "scan.h5", "--method", "sense", "--field-map", "field.nii.gz", "--alphas",
                           "1.5,2", "--trials", "1", "--json", "sweep.json", "--csv", "sweep.csv"});
    QVERIFY2(r.code == 0, r.err);
    QSet<QString> paths;
    for (const QJsonValue& c : json("sweep.json")["sweep"].toObject()["candidates"].toArray()) {
      const QJsonObject candidate = c.toObject();
      paths.insert(candidate["path"].toString());
      QVERIFY(candidate["measuredError"].toDouble() > 0);
      QVERIFY(candidate["fieldPath"].toObject().contains("segments"));
    }
    QCOMPARE(paths, (QSet<QString>{"nufft", "toeplitz", "segmented", "segmented-toeplitz",
                                   "segmented-toeplitz-shifted", "gdft", "gdftr2"}));
    QVERIFY(r.out.contains("segments (svd)") && r.out.contains("gdft"));
    QFile csv(folder_.filePath(QStringLiteral("sweep.csv")));
    QVERIFY(csv.open(QIODevice::ReadOnly) && csv.readAll().contains("segmented-toeplitz"));
  }

  void mapsAreWrittenInTheUnitsOfTheEquations() {
    const auto r = runCli(folder_.path(), {"maps", "scan.h5", "--field-map", "field.nii.gz", "-o", "maps",
                                           "--coil-maps", "walsh", "--json", "maps.json"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY(QFile::exists(folder_.filePath("maps/coils.nii.gz")));
    QVERIFY(QFile::exists(folder_.filePath("maps/field.nii.gz")));
    QVERIFY(!QFile::exists(folder_.filePath("maps/phases.nii.gz")));
    const QJsonObject maps = json("maps.json")["maps"].toObject();
    QCOMPARE(maps["coils"].toInt(), 2);
    QCOMPARE(maps["shots"].toInt(), 4);
    QVERIFY(maps["largestPhase"].toDouble() > 1);
    // A field written in Hz is read in Hz: the same phase.
    const auto again = runCli(folder_.path(), {"maps", "scan.h5", "--field-map", "maps/field.nii.gz",
                                               "--field-unit", "Hz", "--json", "again.json"});
    QVERIFY2(again.code == 0, again.err);
    const double phase = json("again.json")["maps"].toObject()["largestPhase"].toDouble();
    QVERIFY(std::abs(phase - maps["largestPhase"].toDouble()) < 1e-4 * phase);
  }

  void theBenchWritesEachCorrectionAndItsDifference() {
    const auto r = runCli(folder_.path(), {"off-resonance", "scan.h5", "--field-map", "field.nii.gz",
                                           "--iterations", "4", "-o", "compared", "--json", "bench.json"});
    QVERIFY2(r.code == 0, r.err);
    const QJsonArray rows = json("bench.json")["offResonance"].toArray();
    QCOMPARE(rows.size(), 6);
    QCOMPARE(rows[0].toObject()["name"].toString(), QStringLiteral("exact"));
    QVERIFY(rows[1].toObject()["transformError"].toDouble() < 1e-3);
    QVERIFY(rows[5].toObject()["transformError"].toDouble() > 1e-2);
    for (const char* file :
         {"exact", "plain", "plain-difference", "segmented-svd", "segmented-svd-difference", "convolutions"})
      QVERIFY2(QFile::exists(folder_.filePath(QStringLiteral("compared/%1.nii.gz").arg(QLatin1String(file)))),
               file);
    const auto none = runCli(folder_.path(), {"off-resonance", "scan.h5"});
    QCOMPARE(none.code, 1);
    QVERIFY(none.err.contains("field-map"));
  }

  void theEchoesOfAScanGiveItsField() {
    const auto made =
        runCli(folder_.path(), {"simulate", "-o", "echoes.h5", "--pattern", "spiral", "--matrix", "32",
                                "--shots", "8", "--coils", "2", "--field", "linear", "--field-peak", "80",
                                "--echo-times", "2,5", "--decay", "20"});
    QVERIFY2(made.code == 0, made.err);
    const auto found =
        runCli(folder_.path(), {"field", "echoes.h5", "-o", "found.nii.gz", "--deviation", "sure.nii.gz",
                                "--decay", "r2s.nii.gz", "--field-unit", "Hz", "--json", "found.json"});
    QVERIFY2(found.code == 0, found.err);
    QVERIFY2(found.out.contains("field from 2 echoes (TE 2, 5 ms)"), found.out);
    const QJsonObject field = json("found.json")["field"].toObject();
    QCOMPARE(field["unit"].toString(), QStringLiteral("Hz"));
    QCOMPARE(field["echoTimes"].toArray().size(), 2);
    for (const char* file : {"found.nii.gz", "sure.nii.gz", "r2s.nii.gz"})
      QVERIFY2(QFile::exists(folder_.filePath(QLatin1String(file))), file);
    const auto image = runCli(folder_.path(), {"reconstruct", "echoes.h5", "-o", "e.nii.gz", "--method",
                                               "sense", "--field-map", "echoes", "--frames", "0"});
    QVERIFY2(image.code == 0, image.err);
    const auto none = runCli(folder_.path(), {"field", "scan.h5", "-o", "none.nii.gz"});
    QCOMPARE(none.code, 1);
    QVERIFY2(none.err.contains("echo-times"), none.err);
    QVERIFY(!QFile::exists(folder_.filePath("none.nii.gz")));
    const auto both = runCli(folder_.path(), {"field", "-o", "none.nii.gz"});
    QCOMPARE(both.code, 1);
    QVERIFY2(both.err.contains("--images"), both.err);
  }

  void aWrongMapIsAnErrorThatSaysWhy() {
    const auto missing =
        runCli(folder_.path(), {"reconstruct", "scan.h5", "-o", "y.nii.gz", "--method", "pcsense"});
    QCOMPARE(missing.code, 1);
    QVERIFY(missing.err.contains("phase maps"));
    const auto size = runCli(folder_.path(), {"reconstruct", "scan.h5", "-o", "y.nii.gz", "--method", "sense",
                                              "--coil-maps", "field.nii.gz"});
    QCOMPARE(size.code, 1);
    QVERIFY(size.err.contains("2 maps of 48 x 48"));
    QVERIFY(!QFile::exists(folder_.filePath("y.nii.gz")));
  }

  void ctrlCInsideTheIterationsKeepsTheLastImage() {
    QProcess process;
    process.setProcessEnvironment(cliEnvironment(folder_.path()));
    process.setWorkingDirectory(folder_.path());
    process.start(SPOKELAB_CLI, {"reconstruct", "scan.h5", "-o", "last.nii.gz", "--method", "sense",
                                 "--transform", "gdft", "--field-map", "field.nii.gz", "--regularization",
                                 "tv", "--lambda", "0.01", "--iterations", "10000", "--effort", "estimate"});
    QVERIFY(process.waitForStarted());
    QVERIFY2(!process.waitForFinished(4000), "the command was over before it could be cancelled");
    ::kill(pid_t(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(30000));
    QCOMPARE(process.exitCode(), 130);
    const QByteArray err = process.readAllStandardError();
    QVERIFY2(err.contains("last.nii.gz written") && err.contains("iteration"), err);
    QVERIFY(QFile::exists(folder_.filePath("last.nii.gz")));
  }
};

SPOKELAB_CORE_TEST(TestFieldCommands)

}  // namespace test_field_commands

#include "test_field_commands.moc"
