// reconstruct --dry-run: says what the job would do, and neither computes nor writes an image.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_dry_run {

using namespace spokelab::test;

class DryRunTest : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& more) const {
    return runCli(folder_.path(), QStringList{"reconstruct", "scan.h5", "--backend", "cpu"} + more);
  }
  QJsonObject job(const QString& file) const {
    QFile in(folder_.filePath(file));
    return in.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(in.readAll())["job"].toObject()
                                        : QJsonObject();
  }

 private slots:
  void initTestCase() {
    const auto made = runCli(
        folder_.path(), {"simulate", "-o", "scan.h5", "--matrix", "48", "--coils", "4", "--frames", "3"});
    QVERIFY2(made.code == 0, made.err);
  }

  void theJobIsSaidAndNothingIsWritten() {
    const QStringList before = filesIn(folder_.path());
    const auto said = run({"--dry-run", "--method", "sense", "--transform", "toeplitz", "--frames", "1-2"});
    QVERIFY2(said.code == 0, said.err);
    for (const char* part :
         {"SENSE", "2, each 1 frame and 1 slice of 48 x 48", "4 coils", "Eᴴ W E = Σ_c C_cᴴ Fᴴ W F C_c",
          "Σ_c {C_cᴴ T C_c} (toeplitz, coil batches)", "conjugate gradients", "MB of memory"})
      QVERIFY2(said.out.contains(part), said.out);
    QCOMPARE(filesIn(folder_.path()), before);
  }

  void theSameAsJson() {
    const auto said = run({"--dry-run", "--leave-out-coils", "0", "--json", "job.json"});
    QVERIFY2(said.code == 0, said.err);
    const QJsonObject plan = job("job.json");
    QCOMPARE(plan["recipe"].toString(), QStringLiteral("gridding"));
    QCOMPARE(plan["frames"].toArray().size(), 3);
    QCOMPARE(plan["coils"]["prepared"].toInt(), 3);
    QCOMPARE(plan["unknowns"]["count"].toInt(), 3);
    QCOMPARE(plan["model"]["forward"].toString(), QStringLiteral("F"));
    QVERIFY(plan["memory"]["host"].toDouble() > 48 * 48 * 8);
  }

  void whatCannotBeDoneIsRefusedAsByTheJob() {
    QCOMPARE(run({"--dry-run", "--frames", "7"}).code, 1);
    QCOMPARE(run({"--dry-run", "--leave-out-coils", "0-3"}).code, 1);
  }

  void withoutItAnOutputHasToBeNamed() {
    const auto refused = run({});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("--output"), refused.err);
  }
};

SPOKELAB_TEST(DryRunTest)

}  // namespace test_dry_run

#include "test_dry_run.moc"
