// Transforms from non-uniform to non-uniform points against exact sums.
#include <cmath>
#include <limits>
#include <random>

#include "engine/core/error.h"
#include "engine/nufft/type3/type3.h"
#include "tests/engine/nufft/random_problem.h"
#include "tests/test_main.h"

namespace spokelab {
namespace {

struct Case {
  Type3Problem problem;
  NufftOptions options;
  std::vector<double> sources, targets;
  std::int64_t sourceCount() const { return std::int64_t(sources.size()) / problem.dims; }
  std::int64_t targetCount() const { return std::int64_t(targets.size()) / problem.dims; }
};

// e^{sign 2 pi i s . x}
cdouble phase(const Case& c, std::int64_t source, std::int64_t target) {
  double turns = 0;
  for (int d = 0; d < c.problem.dims; ++d) {
    const double t = c.sources[std::size_t(source * c.problem.dims + d)] *
                     c.targets[std::size_t(target * c.problem.dims + d)];
    turns += t - std::nearbyint(t);
  }
  return std::polar(1.0, c.problem.sign * 2 * M_PI * turns);
}

std::vector<cdouble> exact(const Case& c, const std::vector<cdouble>& in, bool adjoint) {
  const std::int64_t from = adjoint ? c.targetCount() : c.sourceCount(),
                     to = adjoint ? c.sourceCount() : c.targetCount();
  std::vector<cdouble> out(std::size_t(to), cdouble(0));
  for (std::int64_t i = 0; i < to; ++i)
    for (std::int64_t j = 0; j < from; ++j)
      out[std::size_t(i)] += in[std::size_t(j)] * (adjoint ? std::conj(phase(c, i, j)) : phase(c, j, i));
  return out;
}

// As the accuracy contract has it: rms over draws of |error| / max(|y|, sqrt(R) |u|).
template <class Real>
double contractError(const Case& c, bool adjoint, std::mt19937& random, int draws = 8) {
  Type3<Real> plan(c.problem, c.options);
  plan.setPoints(c.sources, c.targets);
  const std::int64_t from = adjoint ? c.targetCount() : c.sourceCount(),
                     to = adjoint ? c.sourceCount() : c.targetCount();
  double sum = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const std::vector<cdouble> drawn = test::normalData(random, from);
    const std::vector<std::complex<Real>> in(drawn.begin(), drawn.end());
    const std::vector<cdouble> u(in.begin(), in.end());
    std::vector<std::complex<Real>> out(static_cast<std::size_t>(to));
    if (adjoint)
      plan.adjoint(in.data(), out.data());
    else
      plan.forward(in.data(), out.data());
    const std::vector<cdouble> y = exact(c, u, adjoint);
    double error = 0;
    for (std::size_t i = 0; i < y.size(); ++i) error += std::norm(cdouble(out[i]) - y[i]);
    sum += error / std::max(test::squareNorm(y), double(to) * test::squareNorm(u));
  }
  return std::sqrt(sum / draws);
}

double contractError(const Case& c, bool adjoint, std::mt19937& random) {
  return c.problem.precision == Precision::single ? contractError<float>(c, adjoint, random)
                                                  : contractError<double>(c, adjoint, random);
}

std::vector<double> uniform(std::mt19937& random, std::int64_t count, int dims, const Vec3& middle,
                            const Vec3& half) {
  std::uniform_real_distribution<double> place(-1, 1);
  std::vector<double> points(std::size_t(count * dims));
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = middle[i % std::size_t(dims)] + half[i % std::size_t(dims)] * place(random);
  return points;
}

}  // namespace

class TestType3 : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Random extents, offsets, units, counts, precisions and options; both directions.
  void accuracyIsHeld() {
    std::mt19937 random(20261123);
    std::uniform_real_distribution<double> unit(0, 1);
    double worst = 0;
    for (int i = 0; i < 120; ++i) {
      Case c;
      c.problem.dims = 1 + i % 3;
      c.problem.precision = i % 2 ? Precision::dbl : Precision::single;
      c.problem.sign = i % 4 < 2 ? 1 : -1;
      const double finest = c.problem.precision == Precision::dbl ? -11 : -4.5;
      c.options.accuracy = std::pow(10, -1.5 + unit(random) * (finest + 1.5));
      if (i % 5 == 0) c.options.alpha = i % 10 ? 2 : 1.5;
      c.options.threads = 1 + i % 2;
      const double most = c.problem.dims == 1 ? 400 : c.problem.dims == 2 ? 24 : 6;  // cycles
      Vec3 x{}, s{}, middleX{}, middleS{};
      for (std::size_t d = 0; d < 3; ++d) {
        const double scale = std::pow(10, 6 * unit(random) - 3);  // the unit of x
        x[d] = scale;
        s[d] = most * unit(random) / (4 * scale);
        middleX[d] = 5 * scale * (unit(random) - 0.5);
        middleS[d] = 20 * s[d] * (unit(random) - 0.5);
      }
      c.sources = uniform(random, 1 + std::int64_t(300 * unit(random)), c.problem.dims, middleX, x);
      c.targets = uniform(random, 1 + std::int64_t(300 * unit(random)), c.problem.dims, middleS, s);
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

  // Targets at the edges of their box alone, where the division amplifies most; all in one place;
  // sources in one place; one point of each; boxes without extent.
  void unusualPoints_data() {
    QTest::addColumn<std::vector<double>>("sources");
    QTest::addColumn<std::vector<double>>("targets");
    std::mt19937 random(3);
    const std::vector<double> spread = uniform(random, 150, 2, {}, {1, 1, 1});
    std::vector<double> corners;
    for (int i = 0; i < 200; ++i) corners.insert(corners.end(), {i % 2 ? -9. : 9., i % 4 < 2 ? -9. : 9.});
    const std::vector<double> same(100, 0.37);
    QTest::newRow("corners") << spread << corners;
    QTest::newRow("sources at corners") << corners << spread;
    QTest::newRow("targets in one place") << spread << same;
    QTest::newRow("sources in one place") << same << spread;
    QTest::newRow("one of each") << std::vector{1e6, -3.0} << std::vector{2e-3, 5.0};
    QTest::newRow("on a line") << spread << std::vector{0., 0., 3., 0., -5., 0.};
    QTest::newRow("minute extents") << spread << std::vector{1e-300, 0., 0., 1e-290};
  }
  void unusualPoints() {
    QFETCH(std::vector<double>, sources);
    QFETCH(std::vector<double>, targets);
    std::mt19937 random(7);
    for (const Precision precision : {Precision::single, Precision::dbl})
      for (const bool adjoint : {false, true}) {
        Case c;
        c.problem.precision = precision;
        c.options.accuracy = precision == Precision::single ? 1e-4 : 1e-9;
        c.sources = sources;
        c.targets = targets;
        QVERIFY(contractError(c, adjoint, random) <= c.options.accuracy);
      }
  }

  // What is predicted is what is measured, but for the worst target that it holds for.
  void errorIsPredicted() {
    std::mt19937 random(11);
    for (int dims = 1; dims <= 3; ++dims) {
      Case c;
      c.problem = {dims, Precision::dbl, -1, 1};
      c.options.accuracy = 1e-6;
      c.sources = uniform(random, 400, dims, {}, {1, 1, 1});
      c.targets = uniform(random, 400, dims, {}, {5, 5, 5});
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
    Case c;
    c.problem = {3, Precision::dbl, 1, 2};
    c.sources = uniform(random, 90, 3, {1, 2, 3}, {1, 1, 1});
    c.targets = uniform(random, 70, 3, {3, 2, 1}, {3, 2, 4});
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
    const std::vector<double> sources = uniform(random, 50, 2, {}, {1, 1, 1}),
                              targets = uniform(random, 40, 2, {}, {9, 9, 9});
    const std::vector<cdouble> u = test::normalData(random, 3 * 50);
    Type3<double> all({2, Precision::dbl, -1, 3}, {}), one({2, Precision::dbl, -1, 1}, {});
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
    Type3<double> plan({1, Precision::dbl, 1, 1}, {});
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
    Type3<double> small({1, Precision::dbl, 1, 1}, limited);
    QVERIFY_THROWS_EXCEPTION(Error, small.setPoints(std::vector{0., 1e3}, std::vector{0., 1e3}));
  }
};

}  // namespace spokelab

SPOKELAB_TEST(spokelab::TestType3)
#include "test_type3.moc"
