// Evidence for a sweep's times on the command line: ranges, repeats, quartiles, the load of the
// machine, an estimate beforehand; and the traces of reconstructions, sweeps, studies and suites.
#include <QtTest>

#include <fstream>
#include <map>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"
#include "tests/trace_schema.h"

namespace test_sweep_times {

using nlohmann::json;
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
  json traceIn(const char* file) const {
    std::ifstream stream(folder_.filePath(QString::fromUtf8(file)).toStdString());
    return json::parse(stream, nullptr, false);
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

  // An exhaustive search is predicted; a stopped one continues, and wisdom then knows the answer.
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
    QCOMPARE(spokelab::test::faultOfTrace(traceIn("t.json")), std::string());
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

  // Each turn of each plan is a span with its name, around plan, points and the stages of its
  // transforms.
  void aSweepsTraceHasEveryTurnOfEveryPlan() {
    const auto r = run({"sweep", "scan.h5", "--alphas", "1.5,2", "--widths", "4", "--trials", "3",
                        "--threads", "2", "--measure-error", "--json", "s.json", "--trace", "t.json"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY2(r.out.contains("trace            t.json"), r.out);
    const json document = traceIn("t.json");
    QCOMPARE(spokelab::test::faultOfTrace(document), std::string());
    QCOMPARE(titleOf(document), std::string("Sweep scan.h5"));
    const std::map<std::string, int> count = spansOf(document);
    QCOMPARE(count.at("job read"), 1);
    for (const char* ratio : {"α 1.5, W 4", "α 2, W 4"}) {
      int turns = 0;
      for (const auto& [name, spans] : count)
        if (name.find(ratio) != std::string::npos) turns += spans;
      QCOMPARE(turns, 3);
    }
    QVERIFY(count.at("transform plan") == 6 && count.at("transform points set") >= 6);
    QCOMPARE(count.at("transform error measured"), 2);
    for (const char* stage : {"transform sort", "transform spread", "transform fft"})
      QVERIFY2(count.at(stage) >= 6, stage);
    // A piece of work of a thread would lengthen what is timed.
    for (const auto& [name, spans] : count) QVERIFY2(!name.starts_with("work "), name.c_str());
    QVERIFY(run({"sweep", "scan.h5", "--json", "s.json", "--trace", "s.json"}).code != 0);
    QVERIFY(run({"sweep", "scan.h5", "--trace", "scan.h5"}).code != 0);
  }

  void aStudysTraceHasItsSteps() {
    const auto r =
        run({"study", "best-alpha", "--sizes", "8,10", "--patterns", "random", "--accelerations", "1",
             "--accuracies", "0.01", "--trials", "1", "--backend", "cpu", "--trace", "t.json"});
    QVERIFY2(r.code == 0, r.err);
    const json document = traceIn("t.json");
    QCOMPARE(spokelab::test::faultOfTrace(document), std::string());
    QCOMPARE(titleOf(document), std::string("Study best-alpha"));
    const std::map<std::string, int> count = spansOf(document);
    QVERIFY(count.contains("job step 1") && count.contains("job step 2"));
    QVERIFY(count.at("transform fft") > 0 && count.at("transform plan") > 0);
  }

  void aSuitesTraceHasItsCases() {
    QFile file(folder_.filePath("suite.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"format": "spokelab-suite", "formatVersion": 1, "name": "two", "cases": [
      {"study": "row-deviations", "sizes": [8], "patterns": ["random"]},
      {"scan": "demo", "alphas": [2], "widths": [4], "trials": 1}]})");
    file.close();
    const QStringList asked = {"suite", "suite.json", "-o", "r", "--backend", "cpu", "--trace", "t.json"};
    const auto r = run(asked);
    QVERIFY2(r.code == 0, r.err);
    const json document = traceIn("t.json");
    QCOMPARE(spokelab::test::faultOfTrace(document), std::string());
    QCOMPARE(titleOf(document), std::string("Suite two"));
    const std::map<std::string, int> count = spansOf(document);
    int cases = 0, plans = 0;
    for (const auto& [name, spans] : count) {
      cases += name.starts_with("job row-deviations") || name.starts_with("job sweep demo");
      plans += name.starts_with("job α 2, W 4");
    }
    QVERIFY2(cases == 2 && plans == 1, document.dump().substr(0, 2000).c_str());
    // A share of a job array writes its own.
    QVERIFY2(
        run({"suite", "suite.json", "-o", "s", "--backend", "cpu", "--trace", "t.json", "--shard", "2/2"})
                .code == 0,
        "");
    QCOMPARE(spokelab::test::faultOfTrace(traceIn("t.2-of-2.json")), std::string());
  }

 private:
  // Count of each span, by category and name.
  static std::map<std::string, int> spansOf(const json& document) {
    std::map<std::string, int> count;
    for (const json& e : document.at("traceEvents"))
      if (e.at("ph") == "X") ++count[e.at("cat").get<std::string>() + ' ' + e.at("name").get<std::string>()];
    return count;
  }
  static std::string titleOf(const json& document) {
    for (const json& e : document.at("traceEvents"))
      if (e.at("ph") == "X") return e.at("name").get<std::string>();
    return {};
  }
};

SPOKELAB_CORE_TEST(TestSweepTimes)

}  // namespace test_sweep_times

#include "test_sweep_times.moc"
