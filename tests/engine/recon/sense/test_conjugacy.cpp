// SENSE's iterates are those of exact arithmetic, and the iterations end where rounding or the
// transform's own error hides the residual: against conjugate gradients in double precision, kept
// orthogonal, over a dense matrix of exact sums.
#include <QtTest>

#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/solve_sense.h"
#include "engine/recon/solve/conjugate_gradient.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/sense/unweighted_radial.h"
#include "tests/test_main.h"

namespace test_conjugacy {

using namespace spokelab;
using namespace spokelab::test;

namespace {

SenseSolution solve(const UnweightedRadial& e, TransformKind kind, Precision precision, double accuracy,
                    int iterations) {
  SenseProblem problem = e.problem;
  problem.transform = kind;
  problem.precision = precision;
  problem.nufft.alpha = 2;
  problem.nufft.accuracy = accuracy;
  return makeCpuBackend()->solveSense(problem, {iterations, 0, 0, {}}, {}, {});
}

}  // namespace

class TestConjugacy : public QObject {
  Q_OBJECT

  static constexpr int iterations = 30;
  const UnweightedRadial experiment_;
  const std::vector<cdouble> exact_ = experiment_.exactIterate(iterations);

 private slots:
  void iteratesAreThoseOfExactArithmetic_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("precision");
    QTest::addColumn<double>("accuracy");
    QTest::addColumn<double>("bound");
    const auto row = [](const char* name, TransformKind kind, Precision precision, double accuracy,
                        double bound) {
      QTest::newRow(name) << int(kind) << int(precision) << accuracy << bound;
    };
    row("exact sums, single", TransformKind::gdft, Precision::single, 1e-5, 3e-4);
    row("exact sums, double", TransformKind::gdft, Precision::double64, 1e-5, 1e-7);
    row("nufft, single", TransformKind::nufft, Precision::single, 1e-5, 2e-4);
    row("toeplitz, single", TransformKind::toeplitz, Precision::single, 1e-5, 2e-4);
    row("nufft, double", TransformKind::nufft, Precision::double64, 1e-9, 1e-7);
    row("toeplitz, double", TransformKind::toeplitz, Precision::double64, 1e-9, 1e-7);
  }

  void iteratesAreThoseOfExactArithmetic() {
    QFETCH(int, kind);
    QFETCH(int, precision);
    QFETCH(double, accuracy);
    QFETCH(double, bound);
    const auto s = solve(experiment_, TransformKind(kind), Precision(precision), accuracy, iterations);
    QCOMPARE(s.residuals.size(), std::size_t(iterations));
    const double apart = relativeDifference(s.image, exact_);
    QVERIFY2(apart < bound, QByteArray::number(apart));  // images leave the solver in single precision
  }

  void iterationsEndAtTheTransformsAccuracyAndSaySo() {
    const auto coarse = solve(experiment_, TransformKind::nufft, Precision::double64, 1e-2, 400);
    QVERIFY2(coarse.ending.find("transform's accuracy") != std::string::npos, coarse.ending.c_str());
    QVERIFY(!coarse.converged);
    const auto fine = solve(experiment_, TransformKind::nufft, Precision::double64, 1e-4, 400);
    QVERIFY(fine.residuals.size() > coarse.residuals.size());
    QVERIFY(fine.residuals.back() < 0.1 * coarse.residuals.back());
  }

  void removedComponentsAreGoneAndTheLengthOfTheRestIsTold() {
    HostSpace<float> space(2);
    constexpr std::int64_t size = 40000;
    std::vector<Buffer<cfloat>> units;
    for (const std::int64_t step : {2, 3}) {  // ones at even, at odd places
      units.push_back(space.make(size));
      for (std::int64_t i = 0; i < size; ++i)
        units.back()[std::size_t(i)] = i % 2 == step % 2 ? cfloat(0, std::sqrt(2.0F / size)) : cfloat(0);
    }
    Buffer<cfloat> x(size);
    for (std::int64_t i = 0; i < size; ++i)
      x[std::size_t(i)] = cfloat(i % 2 ? 3.0F : -1.0F, i % 4 < 2 ? 1.0F : -1.0F);
    const double square = space.removeComponents(units, x.data(), size);
    for (const auto& unit : units) QVERIFY(std::abs(space.dot(unit.data(), x.data(), size)) < 1e-2);
    QVERIFY(std::abs(square - double(size)) < 1e-3 * size);  // the imaginary parts, whose sums are 0
    Buffer<cfloat> half(size);
    space.scaledCopy(0.5F, x.data(), half.data(), size);
    QVERIFY(std::abs(space.dot(half.data(), half.data(), size) - 0.25 * square) < 1e-3 * square);
    const std::vector<float> factors(size, 3.0F);
    space.scaleReal(factors.data(), half.data(), 1, size);
    QVERIFY(std::abs(space.dot(half.data(), half.data(), size) - 2.25 * square) < 1e-3 * square);
  }

  // The recursive residual falls for ever, the true one stays where rounding leaves it.
  void iterationsEndWhereRoundingHidesTheResidual() {
    HostSpace<float> space;
    constexpr int size = 64;
    std::vector<cfloat> right(size, 1), x(size);
    const auto apply = [](const cfloat* in, cfloat* out) {
      for (int i = 0; i < size; ++i)
        out[i] =
            in[i] * float(1 + i) + (i > 0 ? in[i - 1] : cfloat(0)) + (i + 1 < size ? in[i + 1] : cfloat(0));
    };
    const auto result = conjugateGradient(space, apply, right.data(), x.data(), size, {1000},
                                          [](int, double) { return IterationAction::proceed; });
    QVERIFY(result.end == ConjugateGradientEnd::rounding);
    QVERIFY2(result.iterations < 200, QByteArray::number(result.iterations));
  }

  void anOperatorThatIsNotPositiveEndsTheIterations() {
    HostSpace<double> space;
    const std::vector<cdouble> right{1, 2, 3};
    std::vector<cdouble> x(3);
    const auto apply = [](const cdouble* in, cdouble* out) {
      for (int i = 0; i < 3; ++i) out[i] = -in[i];
    };
    const auto result = conjugateGradient(space, apply, right.data(), x.data(), 3, {10},
                                          [](int, double) { return IterationAction::proceed; });
    QVERIFY(result.end == ConjugateGradientEnd::rounding);
    QCOMPARE(result.iterations, 0);
    QCOMPARE(x, std::vector<cdouble>(3));
  }

  // Ten iterations apply the operator ten times, thirty two times more.
  void theOperatorIsAppliedOnceMoreInTenIterations() {
    HostSpace<double> space;
    constexpr int size = 200;
    const std::vector<cdouble> right(size, 1);
    for (const auto& [iterations, expected] : {std::pair{10, 10}, std::pair{30, 32}}) {
      std::vector<cdouble> x(size);
      int applied = 0;
      const auto apply = [&](const cdouble* in, cdouble* out) {
        ++applied;
        for (int i = 0; i < size; ++i) out[i] = in[i] * double(1 + i * i);
      };
      conjugateGradient(space, apply, right.data(), x.data(), size, {iterations},
                        [](int, double) { return IterationAction::proceed; });
      QCOMPARE(applied, expected);
    }
  }
};

SPOKELAB_TEST(TestConjugacy)

}  // namespace test_conjugacy

#include "test_conjugacy.moc"
