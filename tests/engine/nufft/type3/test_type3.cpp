// Transforms from non-uniform to non-uniform points against exact sums.
#include <cmath>
#include <limits>
#include <random>

#include "engine/core/error.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/type3/type3.h"
#include "engine/nufft/type3/type3_exact.h"
#include "engine/nufft/type3/type3_grids.h"
#include "tests/campaign.h"
#include "tests/engine/nufft/type3/type3_cases.h"
#include "tests/test_main.h"

namespace test_type3 {

using namespace spokelab;
namespace {

using test::Type3Case;

template <class Real>
double contractError(const Type3Case& c, bool adjoint, std::mt19937& random) {
  Type3<Real> plan(c.problem, c.options);
  plan.setPoints(c.sources, c.targets);
  return test::type3Error(plan, c, adjoint, random);
}

double contractError(const Type3Case& c, bool adjoint, std::mt19937& random) {
  return c.problem.precision == Precision::single ? contractError<float>(c, adjoint, random)
                                                  : contractError<double>(c, adjoint, random);
}

}  // namespace

class TestType3 : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Random extents, offsets, units, counts, precisions and options; both directions.
  void accuracyIsHeld() {
    std::mt19937 random(20261123);
    double worst = 0;
    for (int i = 0; i < 120; ++i) {
      const Type3Case c = test::randomType3Case(i, random);
      for (const bool adjoint : {false, true}) {
        const double error = contractError(c, adjoint, random);
        worst = std::max(worst, error / c.options.accuracy);
        QVERIFY2(error <= c.options.accuracy,
                 qPrintable(QStringLiteral("case %1%2: %3 for %4, %5 sources, %6 targets")
                                .arg(i)
                                .arg(adjoint ? " adjoint" : "")
                                .arg(error)
                                .arg(c.options.accuracy)
                                .arg(c.sourceCount())
                                .arg(c.targetCount())));
      }
    }
    qInfo("at most %.2f of the accuracy asked for", worst);
  }

  void unusualPoints_data() {
    QTest::addColumn<std::vector<double>>("sources");
    QTest::addColumn<std::vector<double>>("targets");
    for (const test::UnusualPoints& points : test::unusualType3Points())
      QTest::newRow(points.name) << points.sources << points.targets;
    // Eighty million turns, of which a product that is rounded loses up to 5e-8.
    std::vector<double> far, away;
    for (int i = 0; i < 40; ++i) {
      far.push_back(12345.678 + 0.1 * std::cos(i));
      away.push_back(6789.123 + 3 * std::sin(i));
    }
    QTest::newRow("far away") << far << away;
  }
  void unusualPoints() {
    QFETCH(std::vector<double>, sources);
    QFETCH(std::vector<double>, targets);
    std::mt19937 random(7);
    for (const Precision precision : {Precision::single, Precision::double64})
      for (const bool adjoint : {false, true}) {
        Type3Case c;
        c.problem.precision = precision;
        c.options.accuracy = precision == Precision::single ? 1e-4 : 1e-9;
        c.sources = sources;
        c.targets = targets;
        QVERIFY(contractError(c, adjoint, random) <= c.options.accuracy);
      }
  }

  // One source and one target lie on cells of both grids, and what aliases adds up in phase there.
  void singlePointsHoldTheAccuracy() {
    Type3Case seen;
    seen.problem = {3, Precision::double64, 1, 1};
    seen.options.accuracy = 0.0079;
    seen.options.alpha = 2;
    seen.sources = {0.148349188479, -0.041219031959, 0.210868440977};
    seen.targets = {0.425835, 0.081687, -0.418982};
    std::mt19937 random(test::campaignSeed(20261129));
    QVERIFY(contractError(seen, false, random) <= seen.options.accuracy);

    const int cases = 225 * test::campaignFactor();
    double worst = 0;
    for (int i = 0; i < cases; ++i) {
      const Type3Case c = test::singlePointCase(i, random);
      for (const bool adjoint : {false, true}) {
        Type3<double> plan(c.problem, c.options);
        plan.setPoints(c.sources, c.targets);
        const double error = test::type3Error(plan, c, adjoint, random), predicted = plan.info().error;
        worst = std::max(worst, error / c.options.accuracy);
        QVERIFY2(
            error <= c.options.accuracy && error <= 1.3 * predicted,
            qPrintable(QStringLiteral("case %1%2: %3 for %4, predicted %5, alpha %6, %7-D, %8 x %9 points")
                           .arg(i)
                           .arg(adjoint ? " adjoint" : "")
                           .arg(error)
                           .arg(c.options.accuracy)
                           .arg(predicted)
                           .arg(c.options.alpha)
                           .arg(c.problem.dims)
                           .arg(c.sourceCount())
                           .arg(c.targetCount())));
      }
    }
    test::countCases("transforms of type 3 with one source or one target", cases);
    qInfo("at most %.2f of the accuracy asked for", worst);
  }

  // A kernel that the user fixed cannot be made finer for the points: it is refused where they need
  // more.
  void fixedKernelIsRefusedWherePointsNeedMore() {
    Type3Case c;
    c.problem = {3, Precision::double64, 1, 1};
    c.options.accuracy = 0.0079;
    c.options.alpha = 2;
    c.sources = {0.1, -0.04, 0.2};
    c.targets = {0.4, 0.08, -0.4};
    int refused = 0;
    std::mt19937 random(3);
    for (double width = 1.5; width < 5; width += 0.125) {
      c.options.width = width;
      double error = 0;
      try {
        error = contractError(c, false, random);
      } catch (const Error& e) {
        refused += std::string(e.what()).find("between these points") != std::string::npos ? 1 : 0;
      }
      QVERIFY(error <= c.options.accuracy);
    }
    QVERIFY(refused > 0);
  }

  // On the GPU, too, where grids may be longer (grid_size.h). Another grid than the plan's made
  // noise of the values.
  void outerGridsAreThoseOfTheBackendsPlans() {
    std::mt19937 random(20261124);
    int longer = 0;
    for (int i = 0; i < 600; ++i) {
      const Type3Case c = test::randomType3Case(i, random);
      const Extent sources = extentOf(c.sources, c.problem.dims, "sources"),
                   targets = extentOf(c.targets, c.problem.dims, "targets");
      for (const char* backend : {"cpu", gpuBackend})
        for (const Outer& outer :
             outerChoices(c.problem, c.options, backend, sources, c.sources, targets, c.targets)) {
          const NufftOptions& o = outer.options;
          QCOMPARE(outer.grid, gridSizeOn(backend, outer.problem, o.alpha, o.width, o.axisAlpha));
          longer += outer.grid == gridSize(outer.problem, o.alpha, o.width, o.axisAlpha) ? 0 : 1;
        }
    }
    QVERIFY(longer > 0);
  }

  void exactSumsOfManyTurns() {
    const std::vector<double> source{123456.789}, target{-987.6543};
    const cdouble sum =
        type3Exact({1, Precision::double64, 1, 1}, source, target, std::vector<cdouble>{1}, false)[0];
    const long double turns = static_cast<long double>(source[0]) * target[0];
    const auto part = double(turns - std::nearbyint(turns));
    QVERIFY(std::abs(sum - std::polar(1.0, 2 * M_PI * part)) < 1e-9);
  }

  // The predicted error is the measured one, except for the worst target, for which it also holds.
  void errorIsPredicted() {
    std::mt19937 random(11);
    for (int dims = 1; dims <= 3; ++dims) {
      Type3Case c;
      c.problem = {dims, Precision::double64, -1, 1};
      c.options.accuracy = 1e-6;
      c.sources = test::pointsInBox(random, 400, dims, {}, {1, 1, 1});
      c.targets = test::pointsInBox(random, 400, dims, {}, {5, 5, 5});
      Type3<double> plan(c.problem, c.options);
      plan.setPoints(c.sources, c.targets);
      const double measured = contractError(c, false, random), predicted = plan.info().error;
      QVERIFY(predicted <= c.options.accuracy);
      QVERIFY2(measured <= predicted && measured >= 0.05 * predicted,
               qPrintable(QStringLiteral("%1-D: %2, predicted %3").arg(dims).arg(measured).arg(predicted)));
    }
  }

  void adjointIsTheTranspose() {
    std::mt19937 random(5);
    Type3Case c;
    c.problem = {3, Precision::double64, 1, 2};
    c.sources = test::pointsInBox(random, 90, 3, {1, 2, 3}, {1, 1, 1});
    c.targets = test::pointsInBox(random, 70, 3, {3, 2, 1}, {3, 2, 4});
    Type3<double> plan(c.problem, c.options);
    plan.setPoints(c.sources, c.targets);
    const std::vector<cdouble> a = test::normalData(random, 2 * 90), b = test::normalData(random, 2 * 70);
    std::vector<cdouble> forward(b.size()), adjoint(a.size());
    plan.forward(a.data(), forward.data());
    plan.adjoint(b.data(), adjoint.data());
    cdouble left = 0, right = 0;
    for (std::size_t i = 0; i < b.size(); ++i) left += forward[i] * std::conj(b[i]);
    for (std::size_t i = 0; i < a.size(); ++i) right += a[i] * std::conj(adjoint[i]);
    QVERIFY(std::abs(left - right) <= 1e-12 * std::abs(left));
  }

  void batchesAreSeparate() {
    std::mt19937 random(6);
    const std::vector<double> sources = test::pointsInBox(random, 50, 2, {}, {1, 1, 1}),
                              targets = test::pointsInBox(random, 40, 2, {}, {9, 9, 9});
    const std::vector<cdouble> u = test::normalData(random, 3 * 50);
    Type3<double> all({2, Precision::double64, -1, 3}, {}), one({2, Precision::double64, -1, 1}, {});
    all.setPoints(sources, targets);
    one.setPoints(sources, targets);
    std::vector<cdouble> together(3 * 40), alone(40);
    all.forward(u.data(), together.data());
    for (std::size_t b = 0; b < 3; ++b) {
      one.forward(u.data() + b * 50, alone.data());
      for (std::size_t k = 0; k < 40; ++k) QCOMPARE(together[b * 40 + k], alone[k]);
    }
  }

  void noPoints() {
    Type3<float> plan({2, Precision::single, -1, 1}, {});
    cfloat value(1);
    QVERIFY_THROWS_EXCEPTION(Error, plan.forward(&value, &value));  // nothing is set
    plan.setPoints({}, std::vector{0.5, 0.5});
    plan.forward(nullptr, &value);
    QCOMPARE(value, cfloat(0));
    plan.setPoints(std::vector{0.5, 0.5}, {});
    value = 1;
    plan.adjoint(nullptr, &value);
    QCOMPARE(value, cfloat(0));
  }

  // Refusals say why, and leave the points that were set.
  void badInputIsRefused() {
    QVERIFY_THROWS_EXCEPTION(Error, Type3<float>({4, Precision::single, -1, 1}, {}));
    QVERIFY_THROWS_EXCEPTION(Error, Type3<float>({2, Precision::single, 0, 1}, {}));
    QVERIFY_THROWS_EXCEPTION(Error, Type3<float>({2, Precision::single, 1, 0}, {}));
    NufftOptions fine;
    fine.accuracy = 1e-9;
    QVERIFY_THROWS_EXCEPTION(Error, Type3<float>({2, Precision::single, 1, 1}, fine));
    Type3<double> plan({1, Precision::double64, 1, 1}, {});
    const std::vector<double> sources{0, 1, 2}, targets{0, 0.25};
    plan.setPoints(sources, targets);
    const double bad = std::numeric_limits<double>::quiet_NaN();
    QVERIFY_THROWS_EXCEPTION(Error, plan.setPoints(std::vector{0., bad}, targets));
    QVERIFY_THROWS_EXCEPTION(Error, plan.setPoints(sources, std::vector{bad}));
    QVERIFY_THROWS_EXCEPTION(Error, plan.setPoints(std::vector{0., 1e9}, std::vector{0., 1e9}));
    QVERIFY_THROWS_EXCEPTION(Error, plan.setPoints(std::vector{0., 1e300}, std::vector{0., 1e300}));
    QCOMPARE(plan.sources(), 3);
    const std::vector<cdouble> in{1, 1, 1};
    std::vector<cdouble> out(2);
    plan.forward(in.data(), out.data());
    QVERIFY(std::abs(out[0] - 3.0) < 3e-3);
    NufftOptions limited;
    limited.memoryLimit = 10'000;
    Type3<double> small({1, Precision::double64, 1, 1}, limited);
    QVERIFY_THROWS_EXCEPTION(Error, small.setPoints(std::vector{0., 1e3}, std::vector{0., 1e3}));
  }
};

SPOKELAB_TEST(TestType3)

}  // namespace test_type3

#include "test_type3.moc"
