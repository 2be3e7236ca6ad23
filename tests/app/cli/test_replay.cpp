// A report can be repeated: its errors and its image come out the same, and what does not is named.
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

using spokelab::test::CliResult;
using spokelab::test::filesIn;
using spokelab::test::runCli;

class TestReplay : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QByteArray report_;  // report.json as it was written

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  CliResult replay(const QStringList& more = {}) {
    return run(QStringList{"report", "--replay", "r/report.json", "-o", "again"} + more);
  }
  QString path(const char* name) const { return folder_.filePath(name); }
  void write(const char* name, const QByteArray& content) {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
  }
  // The report with a value replaced, as another machine or another version may have measured it.
  QByteArray altered(const std::function<void(QJsonObject&)>& change) {
    QJsonObject report = QJsonDocument::fromJson(report_).object();
    change(report);
    return QJsonDocument(report).toJson();
  }
  static void alterFirstCandidate(QJsonObject& report, const QString& key, const QJsonValue& value) {
    QJsonObject sweep = report["sweep"].toObject();
    QJsonArray candidates = sweep["candidates"].toArray();
    QJsonObject first = candidates[0].toObject();
    first[key] = value;
    candidates[0] = first;
    sweep["candidates"] = candidates;
    report["sweep"] = sweep;
  }

 private slots:
  void initTestCase() {
    const auto scan = run({"simulate", "-o", "scan.h5", "--matrix", "48", "--coils", "3"});
    QVERIFY2(scan.code == 0, scan.err);
    const auto r = run({"report", "scan.h5", "-o", "r", "--alphas", "1.5,2", "--widths", "3,5",
                        "--measure-error", "--combine", "adaptive", "--set", "k-unit=cycles/FOV"});
    QVERIFY2(r.code == 0, r.err);
    QFile file(path("r/report.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    report_ = file.readAll();
  }
  void init() { write("r/report.json", report_); }
  void cleanup() { QDir(path("again")).removeRecursively(); }

  void numbersComeOutTheSame() {
    const auto r = replay();
    QVERIFY2(r.code == 0, r.err + r.out);
    QVERIFY(!r.out.contains("DIFFERS"));
    QVERIFY2(r.out.contains("image: difference"), r.out);
    QCOMPARE(r.out.count("measured error at"), 4);
    QCOMPARE(r.out.count("time at"), 4);
    for (const char* name : {"report.json", "report.html", "image.nii.gz", "sweep.csv"})
      QVERIFY2(filesIn(path("again")).contains(name), name);
    QFile json(path("again/report.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const QJsonObject again = QJsonDocument::fromJson(json.readAll()).object();
    QCOMPARE(again["replay"].toObject()["differences"].toInt(-1), 0);
    QCOMPARE(again["reading"].toObject()["overrides"].toObject()["k-unit"].toString(), QString("cycles/FOV"));
    QCOMPARE(again["reconstruction"].toObject()["options"].toObject()["combine"].toString(),
             QString("adaptive"));
  }

  void aReplayCanBeRepeated() {
    QCOMPARE(replay().code, 0);
    const auto r = run({"report", "--replay", "again/report.json", "-o", "third"});
    QVERIFY2(r.code == 0, r.err + r.out);
  }

  void anErrorThatWasOtherwiseIsNamed() {
    write("r/report.json",
          altered([](QJsonObject& report) { alterFirstCandidate(report, "measuredError", 0.5); }));
    const auto r = replay();
    QCOMPARE(r.code, 1);
    QVERIFY2(r.out.contains("DIFFERS          measured error at alpha 1.5, W 3: 5.000e-01"), r.out);
    QVERIFY2(r.err.contains("1 number differs"), r.err);
    QVERIFY(QFileInfo(path("again/report.html")).size() > 0);  // what differs can be looked at
  }

  void anotherImageIsNamed() {
    QVERIFY(QFile::rename(path("r/image.nii.gz"), path("image.kept")));
    const auto other = run({"reconstruct", "scan.h5", "-o", "r/image.nii.gz", "--density", "none"});
    QVERIFY2(other.code == 0, other.err);
    const auto differs = replay();
    QVERIFY(QFile::remove(path("r/image.nii.gz")));
    const auto without = replay();
    QVERIFY(QFile::rename(path("image.kept"), path("r/image.nii.gz")));
    QCOMPARE(differs.code, 1);
    QVERIFY2(differs.out.contains("DIFFERS          image: difference"), differs.out);
    QVERIFY2(without.code == 0, without.err);
    QVERIFY2(without.out.contains("image.nii.gz is not beside the report"), without.out);
  }

  void theScanMayLieElsewhere() {
    QVERIFY(QFile::rename(path("scan.h5"), path("moved.h5")));
    const auto missing = replay(), found = replay({"moved.h5"});
    QVERIFY(QFile::rename(path("moved.h5"), path("scan.h5")));
    QCOMPARE(missing.code, 1);
    QVERIFY2(missing.err.contains("scan.h5"), missing.err);
    QVERIFY2(found.code == 0, found.err);
  }

  void anotherScanIsNamed() {
    const auto other = run({"simulate", "-o", "other.h5", "--matrix", "48", "--coils", "3", "--shots", "40"});
    QVERIFY2(other.code == 0, other.err);
    const auto r = replay({"other.h5"});
    QCOMPARE(r.code, 1);
    QVERIFY2(r.out.contains("DIFFERS          scan: "), r.out);
  }

  void aMissingBackendIsReplacedAndSaid() {
    write("r/report.json", altered([](QJsonObject& report) {
            QJsonObject reconstruction = report["reconstruction"].toObject();
            QJsonObject plan = reconstruction["plan"].toObject(), options = plan["options"].toObject();
            plan["backend"] = "cuda";
            options["spread"] = options["interpolate"] = "tensor";
            plan["options"] = options;
            reconstruction["plan"] = plan;
            report["reconstruction"] = reconstruction;
          }));
    const auto r = replay();
    QVERIFY2(r.code == 0, r.err + r.out);
    QVERIFY2(r.out.contains("backend: cuda -> cpu"), r.out);
  }

  void whatIsNoReportIsRefused_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("empty") << QByteArray() << QByteArray("not JSON");
    QTest::newRow("not JSON") << QByteArray("\x89HDF\r\n") << QByteArray("not JSON");
    QTest::newRow("other JSON") << QByteArray("{\"format\": 3}") << QByteArray("not a report");
    QTest::newRow("a list") << QByteArray("[1, 2]") << QByteArray("not a report");
    QTest::newRow("half") << report_.left(report_.size() / 2) << QByteArray("not JSON");
    QTest::newRow("newer") << altered([](QJsonObject& r) { r["formatVersion"] = 2; })
                           << QByteArray("newer version");
    QTest::newRow("without a scan") << altered([](QJsonObject& r) { r.remove("scan"); })
                                    << QByteArray("missing");
    QTest::newRow("a word for a list") << altered([](QJsonObject& r) {
      QJsonObject sweep = r["sweep"].toObject();
      sweep["candidates"] = "many";
      r["sweep"] = sweep;
    }) << QByteArray("candidate");
    QTest::newRow("options that there are not") << altered([](QJsonObject& r) {
      QJsonObject reconstruction = r["reconstruction"].toObject(),
                  options = reconstruction["options"].toObject();
      options["alpha"] = "wide";
      reconstruction["options"] = options;
      r["reconstruction"] = reconstruction;
    }) << QByteArray("alpha");
  }
  void whatIsNoReportIsRefused() {
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, word);
    write("r/report.json", content);
    const auto r = replay();
    QCOMPARE(r.code, 1);
    QVERIFY2(r.err.contains(word), r.err);
    QVERIFY(!QFileInfo::exists(path("again")));
  }

  void nothingToReportIsSaid() {
    const auto r = run({"report", "-o", "again"});
    QCOMPARE(r.code, 1);
    QVERIFY2(r.err.contains("--replay"), r.err);
    QVERIFY(!QFileInfo::exists(path("again")));
  }
};

SPOKELAB_CORE_TEST(TestReplay)
#include "test_replay.moc"
