// The plan of a reproducible request: neither threads nor anything that was measured choose it;
// what it costs is told.
#include <QtTest>

#include <stop_token>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/nufft/tune/cost_model.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/profile/results/results.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_reproducible_choice {

using namespace spokelab;
using namespace spokelab::test;

namespace {

NufftOptions chosenBy(const TuneResult& result, int threads = 0) {
  NufftOptions options = result.candidates.at(std::size_t(result.best)).options;
  options.threads = threads;
  return options;
}

}  // namespace

class TestReproducibleChoice : public QObject {
  Q_OBJECT
 private slots:
  void init() { CostModel::shared().forget(); }
  void cleanupTestCase() { CostModel::shared().forget(); }

  void dependsOnNoThreadsNoTimesNoWisdom_data() {
    QTest::addColumn<int>("direction");
    QTest::newRow("adjoint") << int(Direction::adjoint);
    QTest::newRow("normal") << int(Direction::normal);
  }
  void dependsOnNoThreadsNoTimesNoWisdom() {
    QFETCH(int, direction);
    TuneFixture f;
    f.request.workload.direction = Direction(direction);
    f.request.options.reproducible = true;
    const NufftOptions fresh = chosenBy(f.run());
    QVERIFY(fresh.reproducible);
    QCOMPARE(f.backend.plans, 0);
    for (const int threads : {2, 3, 8}) {
      f.request.options.threads = threads;
      QVERIFY(chosenBy(f.run()) == fresh);
    }

    // The model learns, and wisdom remembers, that another plan is faster than it was guessed.
    const QTemporaryDir folder;
    Wisdom wisdom(folder.filePath("wisdom.json").toStdString());
    TuneRequest reproducible = f.request;
    f.request.options.reproducible = false;
    f.request.effort = TuneEffort::exhaustive;
    f.request.timeLimit = 1;
    f.run(&wisdom);
    Candidate other = f.run(&wisdom).candidates.front();
    other.options.reproducible = true;
    other.options.alpha = 1.9;
    wisdom.remember(Wisdom::key(f.backends, reproducible), other);
    f.request = reproducible;
    for (const TuneEffort effort : {TuneEffort::estimate, TuneEffort::measure, TuneEffort::exhaustive}) {
      f.request.effort = effort;
      const TuneResult result = f.run(&wisdom);
      QVERIFY(chosenBy(result) == fresh);
      QVERIFY(!result.fromWisdom);
      QVERIFY(!result.reproducible.known());  // of another plan
    }
  }

  void whatItCostsIsMeasuredAndRemembered() {
    TuneFixture f;
    f.request.workload.direction = Direction::adjoint;
    f.request.options.reproducible = true;
    const QTemporaryDir folder;
    Wisdom wisdom(folder.filePath("wisdom.json").toStdString());
    const TuneResult silent = f.run(&wisdom);
    QVERIFY(!silent.reproducible.known());
    QVERIFY(QString::fromStdString(silent.reason).contains("not measured yet"));

    f.request.mustTime = true;
    const TuneResult timed = f.run(&wisdom);
    QVERIFY(timed.reproducible.known());
    QVERIFY(timed.candidates.at(std::size_t(timed.best)).timed());
    QVERIFY2(QString::fromStdString(timed.reason).contains("times as long"), timed.reason.c_str());
    QVERIFY(chosenBy(timed) == chosenBy(silent));
    const TuneResult read = tuneResultFromJson(toJson(timed));
    QCOMPARE(read.reproducible.with, timed.reproducible.with);
    QCOMPARE(read.reproducible.without, timed.reproducible.without);

    f.request.mustTime = false;
    f.backend.plans = 0;
    const TuneResult told = f.run(&wisdom);
    QVERIFY(told.reproducible.known());
    QVERIFY(chosenBy(told) == chosenBy(silent));
    QCOMPARE(f.backend.plans, 0);
  }

  void aCancelLeavesTheChoice() {
    TuneFixture f;
    f.request.options.reproducible = true;
    f.request.mustTime = true;
    std::stop_source source;
    source.request_stop();
    const TuneResult result = f.run(nullptr, Progress(source.get_token()));
    QVERIFY(result.cancelled);
    QVERIFY(result.best >= 0);
  }

  void whatMemoryForbidsIsNotChosen() {
    TuneFixture f;
    f.request.options.reproducible = true;
    f.request.options.memoryLimit = 1000;
    QVERIFY_EXCEPTION_THROWN(f.run(), Error);
  }
};

SPOKELAB_TEST(TestReproducibleChoice)

}  // namespace test_reproducible_choice

#include "test_reproducible_choice.moc"
