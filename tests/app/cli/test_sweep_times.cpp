// What a sweep's times can be trusted for, on the command line: ranges, repeats, quartiles, the load of
// the machine, an estimate beforehand; and the trace of a reconstruction.
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

using spokelab::test::CliResult;
using spokelab::test::runCli;

class TestSweepTimes : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  QJsonObject parsed(const char* file) const {
    QFile f(folder_.filePath(QString::fromUtf8(file)));
    return f.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(f.readAll()).object() : QJsonObject();
  }

 private slots:
  void initTestCase() {
    const auto r = run({"simulate", "-o", "scan.h5", "--matrix", "32", "--coils", "2"});
    QVERIFY2(r.code == 0, r.err);
  }

  void rangesAreSweptAndRepeatsKept() {
    const QStringList asked = {"sweep",    "scan.h5", "--alphas", "1.5:2:0.25",
                               "--widths", "3,4:5:1", "--trials", "4"};
    const auto estimate = run(asked + QStringList{"--estimate", "--json", "estimate.json"});
    QVERIFY2(estimate.code == 0, estimate.err);
    QVERIFY2(estimate.out.contains("9 plans, about "), estimate.out);
    QCOMPARE(parsed("estimate.json")["estimate"].toObject()["plans"].toInt(), 9);
    QVERIFY(parsed("estimate.json")["estimate"].toObject()["seconds"].toDouble() > 0);

    const auto r = run(asked + QStringList{"--json", "s.json", "--csv", "s.csv"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY2(r.out.contains("(4)") && r.out.contains("why"), r.out);
    const QJsonObject sweep = parsed("s.json")["sweep"].toObject();
    const QJsonArray candidates = sweep["candidates"].toArray();
    QCOMPARE(candidates.size(), 9);
    for (const QJsonValue& c : candidates) {
      QCOMPARE(c["runs"].toArray().size(), 4);
      QCOMPARE(c["repeats"].toInt(), 4);
      const QJsonArray quartiles = c["quartiles"].toArray();
      QCOMPARE(quartiles.size(), 3);
      QVERIFY(quartiles[0].toDouble() <= quartiles[1].toDouble() &&
              quartiles[1].toDouble() <= quartiles[2].toDouble());
    }
    QVERIFY(sweep["load"].toObject()["processors"].toInt() > 0);
    QFile csv(folder_.filePath("s.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    const QByteArray head = csv.readLine();
    QVERIFY2(head.contains("cost_low_quartile_s,cost_high_quartile_s") && head.contains("runs_s"), head);
  }

  // What an exhaustive search would take; a cut one goes on where it stopped, and wisdom then knows the answer.
  void anExhaustiveSearchIsEstimatedAndGoesOn() {
    const QStringList asked = {"tune",    "scan.h5", "--effort",      "exhaustive", "--trials",  "1",
                               "--alpha", "1.5",     "--interpolate", "blocked",    "--backend", "cpu"};
    const auto estimate = [&](const char* file) {
      const auto r = run(asked + QStringList{"--estimate", "--json", file});
      return r.code == 0 ? parsed(file)["estimate"].toObject() : QJsonObject();
    };
    const QJsonObject before = estimate("before.json");
    const int plans = before["plans"].toInt();
    QVERIFY(plans > 3 && before["seconds"].toDouble() > 0 && !before["remembered"].toBool());
    QCOMPARE(before["timedEarlier"].toInt(), 0);

    const auto cut = run(asked + QStringList{"--time-limit", "0.001"});
    QVERIFY2(cut.code == 0 && cut.out.contains("Cut short by the time limit"), cut.out + cut.err);
    const QJsonObject between = estimate("between.json");
    const int earlier = between["timedEarlier"].toInt();
    QCOMPARE(between["plans"].toInt(), plans);
    QVERIFY(earlier > 0 && earlier < plans);

    const auto whole = run(asked + QStringList{"--json", "whole.json"});
    QVERIFY2(whole.code == 0, whole.err);
    const QJsonObject tuning = parsed("whole.json")["tuning"].toObject();
    QVERIFY(tuning["timedEarlier"].toInt() >= earlier && !tuning["cutShort"].toBool());
    QVERIFY(estimate("after.json")["remembered"].toBool());
  }

  void whatIsTimedOnceSaysSo() {
    const auto r = run({"sweep", "scan.h5", "--alphas", "2", "--widths", "4", "--trials", "1"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY2(r.out.contains(" once"), r.out);
  }

  void badRangesAreRefused() {
    for (const char* range :
         {"2:1:0.25", "1.5:2", "1:2:0", "0", "-1", "1.5,,2", "a", "1:2:1e-9", "1.5:2:0.1:3", "1e999"}) {
      const auto r = run({"sweep", "scan.h5", "--alphas", range, "--estimate"});
      QVERIFY2(r.code == 2, range + QByteArray(": ") + QByteArray::number(r.code) + r.err);
      QVERIFY2(!r.err.isEmpty(), range);
    }
  }

  void aReconstructionWritesItsTrace() {
    const auto r = run({"reconstruct", "scan.h5", "-o", "i.npy", "--method", "sense", "--trace", "t.json"});
    QVERIFY2(r.code == 0, r.err);
    const QJsonArray events = parsed("t.json")["traceEvents"].toArray();
    QSet<QString> names;
    double whole = 0, stages = 0, end = 0;
    for (const QJsonValue& e : events) {
      names << e["name"].toString();
      if (e["ph"].toString() != "X" || e["tid"].toInt() != 0) continue;
      const double from = e["ts"].toDouble(), seconds = e["dur"].toDouble();
      if (whole == 0)
        whole = seconds;  // the span around all is the first
      else if (e["cat"].toString() == "job" && from >= end - 1e-3) {
        stages += seconds;
        end = from + seconds;
      }
    }
    for (const char* name : {"read", "maps", "tune", "plan", "right side", "iterations", "iteration 1",
                             "write", "process_name", "thread_name"})
      QVERIFY2(names.contains(QString::fromUtf8(name)), name);
    QVERIFY2(whole > 0 && stages <= whole * 1.001 && stages > 0.8 * whole,
             QByteArray::number(stages / whole));
    // It never takes the place of what is read, nor of the other output.
    for (const char* file : {"scan.h5", "i.npy"})
      QVERIFY(run({"reconstruct", "scan.h5", "-o", "i.npy", "--trace", file}).code != 0);
  }
};

SPOKELAB_CORE_TEST(TestSweepTimes)
#include "test_sweep_times.moc"
