// Two runs beside each other: a plan that got slower is said with its p value, plans that the test
// cannot tell apart are ties, and what was not timed twice is not compared.
#include <QtTest>

#include <random>

#include "engine/core/error.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/profile/runs/compare_runs.h"
#include "tests/test_main.h"

namespace test_compare_runs {

using namespace spokelab;

namespace {

// Plans of W 3, 4, 5 …, each repeated with a spread of a few percent about these milliseconds.
TimedRun timedRun(int number, const std::vector<double>& milliseconds, int repeats, unsigned seed) {
  TimedRun run;
  run.number = number;
  run.scan = "scan.h5";
  run.machine = "host, a processor, 2 threads";
  std::mt19937 random(seed);
  std::normal_distribution<double> spread(1, 0.01);
  auto timed = std::make_shared<TuneResult>();
  for (std::size_t i = 0; i < milliseconds.size(); ++i) {
    Candidate plan;
    plan.backend = "cpu";
    plan.options.alpha = 1.5;
    plan.options.width = 3.0 + double(i);
    plan.timings.total = 1e-3 * milliseconds[i];
    for (int r = 0; r < repeats; ++r) plan.runs.push_back(1e-3 * milliseconds[i] * spread(random));
    timed->candidates.push_back(plan);
  }
  run.timed = std::move(timed);
  return run;
}

bool says(const BaselineComparison& comparison, const std::string& text) {
  for (const std::string& line : comparison.differences)
    if (line.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace

class TestCompareRuns : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void slowerFasterAndTiesAreTold() {
    const TimedRun before = timedRun(1, {10, 20, 30}, 12, 1), after = timedRun(2, {11.5, 20, 25}, 12, 2);
    const BaselineComparison comparison = compareRuns(before, after);
    QCOMPARE(comparison.before, std::string("Sweep 1"));
    QCOMPARE(comparison.rows.size(), std::size_t(3));
    QCOMPARE(comparison.rows[0].verdict, Verdict::slower);
    QCOMPARE(comparison.rows[1].verdict, Verdict::noDifference);
    QCOMPARE(comparison.rows[2].verdict, Verdict::faster);
    QVERIFY(comparison.rows[0].corrected < 0.001);
    QVERIFY(std::abs(comparison.rows[0].test.ratio - 1.15) < 0.02);
    QVERIFY(comparison.differences.empty());
  }

  void tooFewRepeatsAreSaid() {
    const std::vector<double> plans(20, 10.0), slower(20, 12.0);
    const BaselineComparison few = compareRuns(timedRun(1, plans, 5, 1), timedRun(2, slower, 5, 2));
    QCOMPARE(few.count(Verdict::slower), 0);
    QVERIFY(says(few, "Too few repeats"));
    const BaselineComparison enough = compareRuns(timedRun(1, plans, 9, 1), timedRun(2, slower, 9, 2));
    QCOMPARE(enough.count(Verdict::slower), 20);
    QVERIFY(!says(enough, "Too few repeats"));
  }

  void whatCannotBeComparedIsSaid() {
    const TimedRun before = timedRun(1, {10, 20}, 9, 1);
    TimedRun old = timedRun(2, {10, 20}, 9, 2);
    auto timed = std::make_shared<TuneResult>(*old.timed);
    timed->candidates[1].runs.clear();
    old.timed = timed;
    const BaselineComparison comparison = compareRuns(before, old);
    QVERIFY(says(comparison, "Sweep 2: 1 plan without single repeats"));
    QCOMPARE(comparison.count(Verdict::notCompared), 1);
    TimedRun other = before;
    other.scan = "other.h5";
    QVERIFY_EXCEPTION_THROWN(compareRuns(before, other), Error);
  }
};

SPOKELAB_CORE_TEST(TestCompareRuns)

}  // namespace test_compare_runs

#include "test_compare_runs.moc"
