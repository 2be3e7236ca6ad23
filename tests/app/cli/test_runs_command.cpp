// runs: lists and exports a session's timed runs; reports a missing run and a file that is not a
// session.
#include <QtTest>

#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/profile/session/saved_session.h"
#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

using namespace spokelab;
using spokelab::test::CliResult;
using spokelab::test::runCli;

class TestRunsCommand : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  QString text(const char* name) {
    return QString::fromStdString(readDocument(folder_.filePath(name).toStdString()));
  }

  static TimedRun timedRun(int number, const std::string& name, bool slower) {
    TimedRun run;
    run.number = number;
    run.name = name;
    run.scan = "scan.h5";
    run.time = "2026-11-23T03:00:00Z";
    run.machine = "host, a processor, 2 threads";
    run.load = 1.5;
    Candidate plan;
    plan.backend = "cpu";
    plan.options.alpha = 1.5;
    plan.options.width = 5;
    plan.timings.total = plan.seconds = 0.0125;
    plan.repeats = 7;
    for (int i = 0; i < plan.repeats; ++i) plan.runs.push_back(0.0125 * (slower ? 1.3 : 1) * (1 + 0.001 * i));
    auto timed = std::make_shared<TuneResult>();
    timed->candidates = {plan, plan};
    timed->best = 1;
    run.timed = std::move(timed);
    return run;
  }

 private slots:
  void initTestCase() {
    SavedSession session;
    session.runs = {timedRun(2, {}, false), timedRun(5, "before, the fix", true)};
    SessionWriter(folder_.filePath("study.spokelab").toStdString()).save(session, {});
  }

  void runsAreListed() {
    const CliResult r = run({"runs", "study.spokelab"});
    QVERIFY2(r.code == 0, r.err);
    for (const char* part : {"2  Sweep 2", "5  before, the fix", "sweep of scan.h5, 2 plans, 7 repeats",
                             "2026-11-23T03:00:00Z", "load 1.5", "alpha 1.5", "12.5 ms", "2 runs"})
      QVERIFY2(r.out.contains(part), r.out);
  }

  void runsAreExported() {
    const CliResult r =
        run({"runs", "study.spokelab", "--run", "5", "--csv", "runs.csv", "--json", "runs.json"});
    QVERIFY2(r.code == 0 && r.out.contains("1 run"), r.out + r.err);
    const QStringList rows = text("runs.csv").split('\n', Qt::SkipEmptyParts);
    QCOMPARE(rows.size(), 3);
    QVERIFY2(rows[1].startsWith("5,\"before, the fix\",sweep,scan.h5,"), qPrintable(rows[1]));
    const auto json = nlohmann::json::parse(text("runs.json").toStdString());
    QCOMPARE(json.at("runs").size(), std::size_t(1));
    QCOMPARE(json.at("runs")[0].at("number").get<int>(), 5);
    QCOMPARE(json.at("runs")[0].at("timed").at("candidates").size(), std::size_t(2));
  }

  void twoRunsAreCompared() {
    const CliResult slower = run({"runs", "study.spokelab", "--compare", "2,5", "--json", "both.json"});
    QVERIFY2(slower.code == 0 && slower.out.contains("before, the fix beside Sweep 2"),
             slower.out + slower.err);
    QCOMPARE(slower.out.count("slower "), 2);
    QCOMPARE(nlohmann::json::parse(text("both.json").toStdString()).at("runs").size(), std::size_t(2));
    const CliResult same = run({"runs", "study.spokelab", "--compare", "2,2"});
    QVERIFY2(same.code == 0 && same.out.contains("no difference"), same.out + same.err);
    QVERIFY(run({"runs", "study.spokelab", "--compare", "2"}).code != 0);
    QVERIFY2(run({"runs", "study.spokelab", "--compare", "2,9"}).err.contains("There is no run 9"), "run 9");
  }

  void whatCannotBeIsSaid() {
    const QString before = text("study.spokelab");
    const CliResult missing = run({"runs", "study.spokelab", "--run", "3"});
    QCOMPARE(missing.code, 1);
    QVERIFY2(missing.err.contains("There is no run 3"), missing.err);
    const CliResult itself = run({"runs", "study.spokelab", "--csv", "study.spokelab"});
    QVERIFY(itself.code != 0);
    const CliResult other = run({"runs", folder_.filePath("runs.csv")});
    QCOMPARE(other.code, 1);
    QVERIFY2(other.err.contains("Cannot open the session"), other.err);
    QCOMPARE(text("study.spokelab"), before);
  }
};

SPOKELAB_TEST(TestRunsCommand)
#include "test_runs_command.moc"
