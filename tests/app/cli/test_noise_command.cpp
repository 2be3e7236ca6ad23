// noise on the command line: maps as files, numbers as JSON, and a scan without noise lines. Beside
// it the bases of subspace reconstructions.
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_noise_command {

using spokelab::test::runCli;

class TestNoiseCommand : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  QJsonObject json(const QString& name) {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
  }

 private slots:
  void mapsAndNumbersAreWritten() {
    QVERIFY(runCli(folder_.path(), {"simulate", "-o", "scan.h5", "--matrix", "24", "--samples", "48",
                                    "--coils", "2", "--noise", "0.05"})
                .code == 0);
    const auto r = runCli(folder_.path(), {"noise", "scan.h5", "-o", "noise", "--replicas", "12", "--json",
                                           "noise.json", "--accuracy", "auto"});
    QVERIFY2(r.code == 0, r.err);
    for (const char* file : {"image", "noise", "snr", "g-factor"})
      QVERIFY(QFile::exists(folder_.filePath(QStringLiteral("noise/%1.nii.gz").arg(QLatin1String(file)))));
    const QJsonObject noise = json("noise.json")["noise"].toObject();
    QCOMPARE(noise["replicas"].toInt(), 12);
    QVERIFY(noise["medianSnr"].toDouble() > 1);
    QVERIFY(noise["medianG"].toDouble() > 0.5 && noise["medianG"].toDouble() < 3);
  }

  void aReportHoldsMaps() {
    QVERIFY(runCli(folder_.path(), {"simulate", "-o", "small.h5", "--matrix", "16", "--samples", "32",
                                    "--coils", "2", "--noise", "0.05"})
                .code == 0);
    const auto r = runCli(folder_.path(), {"report", "small.h5", "-o", "report", "--noise-maps", "6",
                                           "--alphas", "1.5", "--widths", "4", "--json", "report.json"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY(QFile::exists(folder_.filePath(QStringLiteral("report/g-factor.nii.gz"))));
    QCOMPARE(json("report.json")["noise"].toObject()["replicas"].toInt(), 6);
    QVERIFY(runCli(folder_.path(), {"report", "small.h5", "-o", "other", "--noise-maps", "1"}).code != 0);
    QVERIFY(runCli(folder_.path(), {"report", "small.h5", "-o", "other", "--sigma", "2"}).code != 0);
  }

  void aScanWithoutNoiseLinesNeedsASigma() {
    QVERIFY(runCli(folder_.path(), {"simulate", "-o", "clean.h5", "--matrix", "16"}).code == 0);
    const auto refused = runCli(folder_.path(), {"noise", "clean.h5"});
    QVERIFY(refused.code != 0 && refused.err.contains("no noise lines"));
    QVERIFY(runCli(folder_.path(), {"noise", "clean.h5", "--sigma", "2", "--replicas", "4"}).code == 0);
  }

  void echoesAreReconstructedByTheirDecays() {
    QVERIFY(
        runCli(folder_.path(), {"simulate", "-o", "echoes.h5", "--pattern", "golden-radial", "--matrix", "24",
                                "--shots", "6", "--coils", "3", "--echo-times", "10:80:10", "--t2", "true"})
            .code == 0);
    const auto plan =
        runCli(folder_.path(), {"reconstruct", "echoes.h5", "--dry-run", "--method", "subspace"});
    QVERIFY2(plan.code == 0 && plan.out.contains("singular vectors of decays") && plan.out.contains("B_t"),
             plan.out + plan.err);
    const auto r =
        runCli(folder_.path(), {"reconstruct", "echoes.h5", "-o", "c.nii.gz", "--method", "t2-shuffling",
                                "--lambda", "1e-3", "--iterations", "5", "--subspace-images", "coefficients",
                                "--coefficients", "2", "--json", "c.json"});
    QVERIFY2(r.code == 0, r.err);
    const auto missing = runCli(folder_.path(), {"reconstruct", "echoes.h5", "-o", "d.nii.gz", "--method",
                                                 "subspace", "--basis", "no.npy"});
    QVERIFY(missing.code != 0 && !QFile::exists(folder_.filePath("d.nii.gz")));
  }
};

SPOKELAB_TEST(TestNoiseCommand)

}  // namespace test_noise_command

#include "test_noise_command.moc"
