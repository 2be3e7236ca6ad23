// Sweeps over the Toeplitz forms of a normal operator: over alpha_T, or a single plan.
#include <QtTest>

#include "engine/nufft/toeplitz/toeplitz_lengths.h"
#include "engine/nufft/tune/sweep/sweep.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_sweep_paths {

using namespace spokelab;
using test::TuneFixture;

namespace {

class GriddedOnly : public test::CountingCpuBackend {
 public:
  std::vector<NormalMethod> normalMethods(const NufftProblem&, const NufftOptions&) const override {
    return {NormalMethod::gridded};
  }
};

SweepRequest over(const TuneFixture& f, NormalMethod normal) {
  SweepRequest s;
  s.base = f.request;
  s.base.trials = 1;
  s.base.measureError = true;
  s.base.workload.direction = Direction::normal;
  s.base.options.normal = normal;
  s.over = sweptOver(normal);
  return s;
}

}  // namespace

class TestSweepPaths : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void thePaddedFormIsTimedAtEachFastRatio() {
    TuneFixture f;
    const SweepRequest s = over(f, NormalMethod::toeplitz);
    const TuneResult r = sweep(f.backends, s, {});
    const std::vector<double> ratios = toeplitzAlphas(f.request.problem, 6);
    QVERIFY(ratios.size() > 2);
    QCOMPARE(r.candidates.size(), ratios.size());
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      const Candidate& c = r.candidates[i];
      QVERIFY2(c.timed(), c.refused.c_str());
      const CandidatePath path = pathOf(c);
      QCOMPARE(path.name, std::string("toeplitz"));
      QCOMPARE(path.over, SweptOver::toeplitzAlpha);
      QCOMPARE(path.alpha, ratios[i]);
      QCOMPARE(c.timings.interpolation(), 0.0);
      QVERIFY(c.timings.fft() > 0 && c.setPointsSeconds > 0 && c.predictedSeconds > 0);
      // "Made at a tenth of the accuracy asked".
      QVERIFY(*c.measuredError < 0.2 * s.base.options.accuracy);
      const double ratio = *c.measuredError / c.predictedNormalError;
      QVERIFY2(ratio > 0.5 && ratio < 1.5, qPrintable(QString::number(ratio)));
    }
    QVERIFY(r.best >= 0);
  }

  void aRatioThatIsNamedIsTheOnlyOne() {
    TuneFixture f;
    SweepRequest s = over(f, NormalMethod::toeplitz);
    s.base.options.toeplitzAlpha = toeplitzAlphas(f.request.problem, 3).back();
    const TuneResult r = sweep(f.backends, s, {});
    QCOMPARE(r.candidates.size(), std::size_t(1));
    QCOMPARE(pathOf(r.candidates.front()).alpha, s.base.options.toeplitzAlpha);
  }

  void theShiftedFormIsOnePlanWithoutARatio() {
    TuneFixture f;
    const TuneResult r = sweep(f.backends, over(f, NormalMethod::toeplitzShifted), {});
    QCOMPARE(r.candidates.size(), std::size_t(1));
    const Candidate& c = r.candidates.front();
    QVERIFY2(c.timed(), c.refused.c_str());
    QCOMPARE(pathOf(c).name, std::string("toeplitz-shifted"));
    QCOMPARE(pathOf(c).over, SweptOver::nothing);
    QCOMPARE(pathOf(c).alpha, 0.0);
    const double ratio = *c.measuredError / c.predictedNormalError;
    QVERIFY2(ratio > 0.5 && ratio < 1.5, qPrintable(QString::number(ratio)));
  }

  void aFormThatCannotServeSaysWhy() {
    TuneFixture f;
    GriddedOnly without;
    std::vector<NufftBackend*> backends{&without};
    TuneResult r = sweep(backends, over(f, NormalMethod::toeplitzShifted), {});
    QCOMPARE(r.candidates.size(), std::size_t(1));
    QVERIFY2(r.candidates.front().refused.find("no such normal operator") != std::string::npos,
             r.candidates.front().refused.c_str());
    QCOMPARE(pathOf(r.candidates.front()).name, std::string("toeplitz-shifted"));
    QCOMPARE(without.plans, 0);

    SweepRequest s = over(f, NormalMethod::toeplitz);
    s.base.options.memoryLimit = 1000;
    r = sweep(f.backends, s, {});
    QVERIFY(r.best < 0 && !r.candidates.empty());
    for (const Candidate& c : r.candidates) QVERIFY(!c.timed() && !c.refused.empty());

    // Where no width reaches the accuracy, either.
    s = over(f, NormalMethod::toeplitz);
    s.base.options.accuracy = 1e-5;
    s.alphas = {1.05};
    r = sweep(f.backends, s, {});
    for (const Candidate& c : r.candidates) QVERIFY(!c.refused.empty());
  }

  void waysThroughAFieldArePathsOfTheirOwn() {
    Candidate c;
    c.options.alpha = 1.5;
    c.path.transform = TransformKind::segmented;
    QCOMPARE(pathOf(c).name, std::string("segmented"));
    QCOMPARE(pathOf(c).over, SweptOver::alpha);
    QCOMPARE(pathOf(c).alpha, 1.5);
    c.path.transform = TransformKind::segmentedToeplitz;
    c.options.normal = NormalMethod::toeplitz;
    c.options.toeplitzAlpha = 2.25;
    QCOMPARE(pathOf(c).name, std::string("segmented-toeplitz"));
    QCOMPARE(pathOf(c).over, SweptOver::toeplitzAlpha);
    QCOMPARE(pathOf(c).alpha, 2.25);
    c.options.normal = NormalMethod::toeplitzShifted;
    QCOMPARE(pathOf(c).name, std::string("segmented-toeplitz-shifted"));
    QCOMPARE(pathOf(c).over, SweptOver::nothing);
    c.path.transform = TransformKind::gdft;
    QCOMPARE(pathOf(c).name, std::string("gdft"));
    QCOMPARE(pathOf(c).over, SweptOver::nothing);
    c.path.transform = TransformKind::nufft;
    c.options.normal = NormalMethod::gridded;
    QVERIFY(pathOf(c).isGrid());
  }

  // A candidate of another direction keeps the option `normal`.
  void otherDirectionsHaveNoPathOfANormalOperator() {
    TuneFixture f;
    SweepRequest s;
    s.base = f.request;
    s.base.trials = 1;
    s.base.workload.direction = Direction::adjoint;
    s.base.options.normal = NormalMethod::toeplitz;
    s.alphas = {1.5};
    const TuneResult r = sweep(f.backends, s, {});
    QCOMPARE(r.candidates.front().options.normal, NormalMethod::toeplitz);
    QCOMPARE(pathOf(r.candidates.front()).name, std::string("nufft"));
    QVERIFY(pathOf(r.candidates.front()).isGrid());
  }
};

SPOKELAB_CORE_TEST(TestSweepPaths)

}  // namespace test_sweep_paths

#include "test_sweep_paths.moc"
