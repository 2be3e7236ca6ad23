// Runs come back from JSON as they were, a session of 200 of them is a small file, and CSV has a
// row for every plan.
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/profile/results/results.h"
#include "engine/profile/runs/runs_json.h"
#include "engine/profile/session/saved_session.h"
#include "tests/test_main.h"

namespace test_runs {

using namespace spokelab;
using nlohmann::json;

namespace {

// Digits as measured times have them.
double measured(int seed) {
  return 1e-3 * (1 + 1 / double(seed + 3));
}

// A sweep of 60 plans; every number of a plan differs from the others'.
TimedRun sweptRun(int number) {
  TimedRun run;
  run.number = number;
  run.scan = "scan, of a name";
  run.time = "2026-11-23T03:00:00Z";
  run.machine = "host, a processor, 2 threads";
  run.load = 0.5;
  run.accuracy = 1e-4;
  auto timed = std::make_shared<TuneResult>();
  for (int i = 0; i < 60; ++i) {
    const int seed = 100 * number + i;
    Candidate c;
    c.backend = "cpu";
    c.options.alpha = 1.125 + 0.125 * (i % 8);
    c.options.width = 3 + i / 8;
    c.options.accuracy = measured(seed);
    c.grid = {160 + i, 160 + i, 160 + i};
    c.predicted = {measured(seed),     measured(seed + 1), measured(seed + 2), measured(seed + 3),
                   measured(seed + 4), measured(seed + 5), measured(seed + 6)};
    c.measuredError = measured(seed + 7);
    c.predictedSeconds = measured(seed + 8);
    c.predictedParts = {measured(seed), measured(seed + 1), measured(seed + 2), measured(seed + 3)};
    for (const Stage stage : {Stage::sort, Stage::zero, Stage::spread, Stage::fft, Stage::deapodize}) {
      c.timings[stage] = measured(seed + int(stage));
      c.timings.bytes[std::size_t(stage)] = 1e9 * measured(seed);
    }
    c.timings.total = 0.1 + measured(seed);
    c.seconds = 0.2 + measured(seed);
    c.spread = measured(seed + 9);
    c.planSeconds = measured(seed + 10);
    c.setPointsSeconds = measured(seed + 11);
    c.memory = 123456789 + seed;
    c.repeats = 5;
    timed->candidates.push_back(c);
  }
  timed->best = 7;
  timed->reason = "Fastest of 60 timed plans";
  run.timed = std::move(timed);
  return run;
}

}  // namespace

class TestRuns : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aRunComesBackFromJson() {
    const TimedRun run = sweptRun(3);
    TimedRun again = runFromJson(json::parse(toJson(run).dump()));
    QCOMPARE(toJson(*again.timed).dump(), toJson(*run.timed).dump());
    again.timed = run.timed;
    QVERIFY(again == run);
  }

  // Plans of several paths: what some of them lack is not taken from the others.
  void whatOnePlanLacksIsNotTakenFromAnother() {
    TimedRun run = sweptRun(1);
    auto timed = std::make_shared<TuneResult>(*run.timed);
    timed->candidates.resize(3);
    timed->best = 0;
    timed->candidates[1].measuredError.reset();
    timed->candidates[1].timings = {};
    timed->candidates[2].refused = "too little memory,\nsaid on two lines";
    timed->candidates[2].predicted.rounding = std::numeric_limits<double>::quiet_NaN();
    run.timed = timed;
    const TimedRun again = runFromJson(json::parse(toJson(run).dump()));
    QCOMPARE(QString::fromStdString(toJson(*again.timed).dump()),
             QString::fromStdString(toJson(*timed).dump()));
    run.timed = std::make_shared<const TuneResult>();
    QVERIFY(runFromJson(toJson(run)).timed->candidates.empty());
  }

  void everyPlanIsARowOfTheTable() {
    const QString csv = QString::fromStdString(toCsv(std::vector{sweptRun(1), sweptRun(2)}));
    const QStringList rows = csv.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(rows.size(), 1 + 2 * 60);
    QVERIFY(rows[0].startsWith(QStringLiteral("run,title,kind,scan,time,machine,load,workload,best,path,")));
    QVERIFY2(rows[1].startsWith(QStringLiteral("1,Sweep 1,sweep,\"scan, of a name\",2026-11-23T03:00:00Z,"
                                               "\"host, a processor, 2 threads\",0.5,")),
             qPrintable(rows[1]));
    QVERIFY(rows[61].startsWith(QStringLiteral("2,Sweep 2,")));
  }

  void exportedRunsAreReadAsPlans() {
    const json exported = json::parse(runsText({sweptRun(1)}));
    QCOMPARE(exported.at("runs").size(), std::size_t(1));
    const json& run = exported.at("runs")[0];
    QCOMPARE(run.at("title"), json("Sweep 1"));
    QCOMPARE(run.at("timed").dump(), toJson(*sweptRun(1).timed).dump());
  }

  void twoHundredSweepsTakeLessThan20MB() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(QStringLiteral("study.spokelab")).toStdString();
    SavedSession session;
    for (int i = 1; i <= 200; ++i) session.runs.push_back(sweptRun(i));
    SessionWriter(file).save(session, {});
    const auto bytes = std::filesystem::file_size(file);
    qInfo("200 sweeps of 60 plans: %.1f MB", double(bytes) / 1e6);
    QVERIFY2(bytes < 20'000'000, qPrintable(QString::number(bytes)));
    const auto loaded = loadSession(file, {}).session.runs;
    QCOMPARE(loaded.size(), std::size_t(200));
    QCOMPARE(toJson(loaded.back()).dump(), toJson(session.runs.back()).dump());
  }

  void aKindOfAnotherVersionIsRefused() {
    json j = toJson(sweptRun(1));
    j["kind"] = "of the future";
    QVERIFY_EXCEPTION_THROWN(runFromJson(j), Error);
  }
};

SPOKELAB_CORE_TEST(TestRuns)

}  // namespace test_runs

#include "test_runs.moc"
