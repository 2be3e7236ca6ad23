// A sweep of SENSE is over all forms of its normal operator; JSON, CSV, reports and replays say
// which.
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_sweep_paths {

using spokelab::test::CliResult;
using spokelab::test::runCli;

namespace {

QJsonObject parsedFile(const QString& file) {
  QFile f(file);
  return f.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(f.readAll()).object() : QJsonObject();
}

QMap<QString, int> pathsIn(const QJsonArray& candidates) {
  QMap<QString, int> count;
  for (const QJsonValue& c : candidates) ++count[c["path"].toString()];
  return count;
}

}  // namespace

class TestSweepPathsOfTheCommand : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  const QStringList few_{"--alphas", "1.5,2", "--trials", "1", "--accuracy", "1e-3"};

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  QString path(const char* name) const { return folder_.filePath(name); }
  QJsonArray candidates(const char* file, const char* what = "sweep") const {
    return parsedFile(path(file))[what].toObject()["candidates"].toArray();
  }

 private slots:
  void initTestCase() {
    const auto r = run({"simulate", "-o", "scan.h5", "--matrix", "32", "--coils", "2"});
    QVERIFY2(r.code == 0, r.err);
  }

  void senseSweepsAllFormsOfItsNormalOperator() {
    const auto r = run(QStringList{"sweep", "scan.h5", "--method", "sense", "--measure-error", "--json",
                                   "s.json", "--csv", "s.csv"} +
                       few_);
    QVERIFY2(r.code == 0, r.err);
    const QJsonArray all = candidates("s.json");
    auto count = pathsIn(all);
    QCOMPARE(count["nufft"], 2);
    QVERIFY(count["toeplitz"] > 2);
    QCOMPARE(count["toeplitz-shifted"], 1);
    double last = 0;
    for (const QJsonValue& c : all) {
      QVERIFY(c["measuredError"].toDouble() > 0 && c["predictedNormalError"].toDouble() > 0);
      if (c["path"].toString() != "toeplitz") continue;
      QVERIFY(c["options"]["toeplitzAlpha"].toDouble() > last);
      last = c["options"]["toeplitzAlpha"].toDouble();
    }
    QVERIFY2(r.out.contains("normal toeplitz-shifted") && r.out.contains("alpha_T"), r.out);
    QFile csv(path("s.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), all.size() + 1);
    const int column = int(lines[0].split(',').indexOf("path")),
              ratio = int(lines[0].split(',').indexOf("toeplitz_alpha"));
    QVERIFY(column >= 0 && ratio >= 0);
    for (int i = 0; i < all.size(); ++i) {
      const QList<QByteArray> cells = lines[i + 1].split(',');
      QCOMPARE(QString::fromUtf8(cells[column]), all[i]["path"].toString());
      QCOMPARE(cells[ratio].isEmpty(), all[i]["path"].toString() != "toeplitz");
    }
  }

  void pathsCanBeLeftOutAndAreNoneOfAnotherDirection() {
    for (const QStringList& less :
         {QStringList{"--method", "sense", "--over", "none"}, QStringList{"--direction", "forward"},
          QStringList{"--method", "sense", "--direction", "adjoint", "--over", "paths"}}) {
      const auto r = run(QStringList{"sweep", "scan.h5", "--json", "n.json"} + less + few_);
      QVERIFY2(r.code == 0, r.err);
      const auto count = pathsIn(candidates("n.json"));
      QCOMPARE(count.keys(), QStringList("nufft"));
    }
    QVERIFY(run({"sweep", "scan.h5", "--over", "roads"}).code != 0);
  }

  void aReportHasThemAndAReplayRepeatsThem() {
    const auto r = run(QStringList{"report", "scan.h5", "-o", "r", "--method", "sense", "--iterations", "2",
                                   "--widths", "4", "--measure-error"} +
                       few_);
    QVERIFY2(r.code == 0, r.err);
    const auto count = pathsIn(candidates("r/report.json"));
    QVERIFY(count["toeplitz"] > 2 && count["toeplitz-shifted"] == 1);
    QFile page(path("r/report.html"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    QVERIFY(page.readAll().contains("<td>toeplitz-shifted</td>"));
    const auto again = run({"report", "--replay", "r/report.json", "-o", "again"});
    QVERIFY2(again.code == 0, again.err + again.out);
    QVERIFY2(again.out.contains("predicted error at toeplitz-shifted"), again.out);
    QVERIFY2(again.out.contains("measured error at toeplitz, alpha_T"), again.out);
    QVERIFY(!again.out.contains("DIFFERS"));
    QVERIFY(pathsIn(candidates("again/report.json")) == count);
  }

  void aBaselineTimesThem() {
    const auto r = run(
        QStringList{"baseline", "scan.h5", "--method", "sense", "--rounds", "4", "--save", "b.json"} + few_);
    QVERIFY2(r.code == 0, r.err);
    QFile file(path("b.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY(text.contains("normal toeplitz-shifted") && text.contains("α_T"));
  }
};

SPOKELAB_CORE_TEST(TestSweepPathsOfTheCommand)

}  // namespace test_sweep_paths

#include "test_sweep_paths.moc"
