// Transforms of type 3 are timed over ratios, their errors measured against sums made here; the
// fastest is remembered; a candidate makes its transform again.
#include <QtTest>

#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <set>

#include "engine/core/error.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/explore/type3_tuning.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/test_main.h"

namespace test_type3_tuning {

using namespace spokelab;

namespace {

// Sources over 200 mm and targets over 0.2 cycles/mm in two dimensions.
struct Case {
  std::vector<double> sources, targets;
  std::unique_ptr<Backend> cpu = makeCpuBackend();
  std::vector<Backend*> backends{cpu.get()};
  Type3Tuning tuning;

  explicit Case(double accuracy = 1e-4) {
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int i = 0; i < 2 * 300; ++i) sources.push_back(100 * unit(random) + 20);
    for (int i = 0; i < 2 * 250; ++i) targets.push_back(0.1 * unit(random));
    tuning.problem = {2, Precision::double64, -1, 1};
    tuning.sources = sources;
    tuning.targets = targets;
    tuning.options.accuracy = accuracy;
    tuning.options.threads = 1;
    tuning.trials = 1;
    tuning.measureError = true;
  }

  std::vector<cdouble> sums(const std::vector<cdouble>& values) const {
    std::vector<cdouble> result;
    for (std::size_t k = 0; k < targets.size(); k += 2) {
      cdouble sum = 0;
      for (std::size_t j = 0; j < values.size(); ++j)
        sum += values[j] *
               std::polar(1.0, -2 * std::numbers::pi *
                                   (sources[2 * j] * targets[k] + sources[2 * j + 1] * targets[k + 1]));
      result.push_back(sum);
    }
    return result;
  }
};

double difference(const std::vector<cdouble>& a, const std::vector<cdouble>& b) {
  double d = 0, n = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    d += std::norm(a[i] - b[i]);
    n += std::norm(b[i]);
  }
  return std::sqrt(d / n);
}

}  // namespace

class TestType3Tuning : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void ratiosAreTimedAndTheirErrorsMeasured_data() {
    QTest::addColumn<int>("direction");
    QTest::newRow("forward") << int(Direction::forward);
    QTest::newRow("adjoint") << int(Direction::adjoint);
    QTest::newRow("both") << int(Direction::both);
  }
  void ratiosAreTimedAndTheirErrorsMeasured() {
    QFETCH(int, direction);
    Case c;
    c.tuning.workload.direction = Direction(direction);
    const TuneResult result = sweepType3(c.backends, c.tuning, {});
    std::set<double> ratios;
    for (const Candidate& one : result.candidates) {
      QVERIFY2(one.timed(), one.refused.c_str());
      ratios.insert(one.options.alpha);
      QVERIFY(one.options.width > 0 && one.timings.interpolation() > 0 && one.timings.fft() > 0);
      QVERIFY(one.timings.accounted() <= 1.001 * one.timings.total);
      QVERIFY(*one.measuredError <= 1e-4 && *one.measuredError > 1e-9);
      QVERIFY(result.candidates[std::size_t(result.best)].cost() <= one.cost());
    }
    QVERIFY(ratios.size() >= 4);
    QVERIFY(result.reason.starts_with("Fastest of"));
  }

  void aCandidateMakesItsTransformAgain() {
    Case c;
    std::mt19937_64 random(9);
    std::normal_distribution<double> normal;
    std::vector<cdouble> values(300), out(250);
    for (cdouble& v : values) v = {normal(random), normal(random)};
    const std::vector<cdouble> expected = c.sums(values);
    const TuneResult result = sweepType3(c.backends, c.tuning, {});
    for (const Candidate& one : result.candidates) {
      const auto transform = makeType3<double>(c.backends, c.tuning, one);
      transform->setPoints(c.sources, c.targets);
      QCOMPARE(transform->info().outer.alpha, one.options.alpha);
      QCOMPARE(transform->info().outer.width, one.options.width);
      transform->forward(values.data(), out.data());
      QVERIFY(difference(out, expected) <= 1e-4);
    }
  }

  // At the outer ratio of the fastest plan whose inner grid is predicted.
  void ratiosOfTheInnerGridAreTimedToo() {
    Case c;
    const TuneResult result = sweepType3(c.backends, c.tuning, {});
    std::set<double> inner, outer;
    for (const Candidate& one : result.candidates) {
      if (one.innerAlpha == 0) continue;
      inner.insert(one.innerAlpha);
      outer.insert(one.options.alpha);
      const auto transform = makeType3<double>(c.backends, c.tuning, one);
      transform->setPoints(c.sources, c.targets);
      QCOMPARE(transform->info().inner.alpha, one.innerAlpha);
      QCOMPARE(candidateOfJson(candidateToJson(one)).innerAlpha, one.innerAlpha);
    }
    QVERIFY(inner.size() >= 4);
    QCOMPARE(outer.size(), std::size_t(1));
    c.tuning.options.alpha = 1.5;  // of both grids
    for (const Candidate& one : sweepType3(c.backends, c.tuning, {}).candidates)
      QCOMPARE(one.innerAlpha, 0.0);
  }

  void theFastestIsRemembered() {
    Case c;
    Wisdom wisdom{std::filesystem::path()};
    const TuneResult first = tuneType3(c.backends, c.tuning, &wisdom, {});
    QVERIFY(!first.fromWisdom && first.best >= 0);
    const TuneResult again = tuneType3(c.backends, c.tuning, &wisdom, {});
    QVERIFY(again.fromWisdom);
    QCOMPARE(again.candidates.front().options.alpha, first.candidates[std::size_t(first.best)].options.alpha);
    QCOMPARE(again.candidates.front().innerAlpha, first.candidates[std::size_t(first.best)].innerAlpha);
    // Targets of another extent are another problem.
    std::vector<double> wide = c.targets;
    for (double& s : wide) s *= 8;
    c.tuning.targets = wide;
    QVERIFY(!tuneType3(c.backends, c.tuning, &wisdom, {}).fromWisdom);
  }

  void whatIsGivenStaysAndEstimatesTimeNothing() {
    Case c;
    c.tuning.options.alpha = 1.6;
    const TuneResult fixed = sweepType3(c.backends, c.tuning, {});
    QCOMPARE(fixed.candidates.size(), std::size_t(1));
    QVERIFY(std::abs(fixed.candidates.front().options.alpha - 1.6) < 0.05);
    c.tuning.options.alpha = 0;
    c.tuning.effort = TuneEffort::estimate;
    const TuneResult guessed = tuneType3(c.backends, c.tuning, nullptr, {});
    QVERIFY(guessed.best == 0 && !guessed.candidates.front().timed());
    const auto transform = makeType3<double>(c.backends, c.tuning, guessed.candidates.front());
    transform->setPoints(c.sources, c.targets);
  }

  void whatCannotBeIsRefused() {
    Case c(1e-4);
    c.tuning.problem.precision = Precision::single;
    c.tuning.options.accuracy = 1e-9;
    QVERIFY_THROWS_EXCEPTION(Error, tuneType3(c.backends, c.tuning, nullptr, {}));
    const std::vector<Backend*> none;
    QVERIFY_THROWS_EXCEPTION(Error, sweepType3(none, c.tuning, {}));
  }
};

SPOKELAB_CORE_TEST(TestType3Tuning)

}  // namespace test_type3_tuning

#include "test_type3_tuning.moc"
