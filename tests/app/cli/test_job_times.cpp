// A reconstruction's account of its time and memory on the command line: complete, beside the
// expectation; a scan larger than its memory is read some frames at a time.
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_job_times {

using spokelab::test::CliResult;
using spokelab::test::runCli;

class TestJobTimes : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  QJsonObject account(const QString& file = "j.json") const {
    QFile f(folder_.filePath(file));
    return f.open(QIODevice::ReadOnly)
               ? QJsonDocument::fromJson(f.readAll())["reconstruction"]["account"].toObject()
               : QJsonObject();
  }
  QByteArray bytes(const QString& file) const {
    QFile f(folder_.filePath(file));
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }

 private slots:
  void initTestCase() {
    const auto r = run({"simulate", "-o", "scan.h5", "--matrix", "96", "--coils", "6"});
    QVERIFY2(r.code == 0, r.err);
    const auto frames = run({"simulate", "-o", "cine.h5", "--matrix", "64", "--coils", "8", "--frames", "12",
                             "--noise", "0.1", "--seed", "7"});
    QVERIFY2(frames.code == 0, frames.err);
  }

  void timeIsAccountedForFromTheStart() {
    const QStringList job = {"reconstruct", "scan.h5", "-o",     "i.nii.gz",
                             "--method",    "sense",   "--json", "j.json"};
    double unaccounted = 1;  // others may take the processor between two stages: the best of some runs
    for (int attempt = 0; attempt < 4; ++attempt) {
      const auto r = run(job);
      QVERIFY2(r.code == 0, r.err);
      const QJsonObject a = account(), seconds = a["seconds"].toObject();
      for (const char* stage : {"start-up", "read", "maps", "transforms", "write"})
        QVERIFY2(seconds[QString::fromLatin1(stage)].toDouble() > 0, stage);
      unaccounted = std::min(unaccounted, a["unaccounted"].toDouble() / a["total"].toDouble());
      QCOMPARE(a.contains("predicted"), attempt > 0);
      QCOMPARE(r.out.contains("expected"), attempt > 0);
      QVERIFY2(r.out.contains("memory  "), r.out);
      if (attempt == 0) continue;
      const QJsonObject predicted = a["predicted"]["seconds"].toObject();
      for (const char* stage : {"read", "maps", "transforms", "write"})
        QVERIFY2(predicted[QString::fromLatin1(stage)].toDouble() > 0, stage);
    }
    QVERIFY2(unaccounted < 0.03, QByteArray::number(unaccounted));
  }

  // The limit leaves room for some frames of the scan.
  void framesAreReadSomeAtATime() {
    const QStringList job = {"reconstruct", "cine.h5", "--alpha", "2", "--width", "5", "--no-wisdom"};
    const auto whole = run(job + QStringList{"-o", "whole.npy"});
    QVERIFY2(
        whole.code == 0 && !whole.out.contains("at a time, to bound memory; each part has its own coil maps"),
        whole.out + whole.err);
    const auto parts =
        run(job + QStringList{"-o", "parts.npy", "--memory-limit", "0.008", "--json", "p.json"});
    QVERIFY2(parts.code == 0, parts.err);
    QVERIFY2(parts.out.contains("at a time, to bound memory; each part has its own coil maps"), parts.out);
    QVERIFY(bytes("whole.npy") == bytes("parts.npy"));
    QVERIFY(account("p.json")["total"].toDouble() > 0);
    const auto some = run(job + QStringList{"-o", "some.npy", "--memory-limit", "0.008", "--frames", "2-9"});
    QVERIFY2(some.code == 0, some.err);
    const QByteArray all = bytes("whole.npy");
    const qsizetype frame = 64 * 64 * 8;
    QVERIFY(bytes("some.npy").right(8 * frame) == all.right(12 * frame).mid(2 * frame, 8 * frame));
  }
};

SPOKELAB_TEST(TestJobTimes)

}  // namespace test_job_times

#include "test_job_times.moc"
