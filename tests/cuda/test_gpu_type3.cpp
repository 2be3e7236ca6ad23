// Transforms from points to points on the GPU keep the accuracy contract against exact sums, are
// each other's transpose, and take values of host and device on any stream.
#include <cuda_runtime.h>
#include <QtTest>

#include <limits>

#include "engine/core/error.h"
#include "tests/cuda/gpu_test.h"
#include "tests/cuda/on_device.h"
#include "tests/engine/nufft/type3/type3_cases.h"
#include "tests/test_main.h"

namespace test_gpu_type3 {

using namespace spokelab;
using namespace spokelab::gputest;
using test::Type3Case;

namespace {

template <class Real>
std::unique_ptr<Type3Transform<Real>> make(const Type3Problem& problem, const NufftOptions& options) {
  if (!backend()->hasType3()) qFatal("the GPU's backend has no transforms of type 3");
  Type3Problem own = problem;
  own.precision = std::is_same_v<Real, float> ? Precision::single : Precision::double64;
  return std::get<std::unique_ptr<Type3Transform<Real>>>(backend()->type3(own, options));
}

template <class Real>
double errorOf(const Type3Case& c, bool adjoint, std::mt19937& random) {
  const auto plan = make<Real>(c.problem, c.options);
  plan->setPoints(c.sources, c.targets);
  return test::type3Error(*plan, c, adjoint, random);
}

double contractError(const Type3Case& c, bool adjoint, std::mt19937& random) {
  return c.problem.precision == Precision::single ? errorOf<float>(c, adjoint, random)
                                                  : errorOf<double>(c, adjoint, random);
}

double difference(const std::vector<cdouble>& a, const std::vector<cdouble>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::norm(a[i] - b[i]);
  return std::sqrt(sum / test::squareNorm(b));
}

constexpr int cases = 600;
constexpr double rounding = 1e-12;  // of double sums in another order

}  // namespace

class TestGpuType3 : public QObject {
  Q_OBJECT
 private slots:
  void accuracyIsHeld() {
    NEEDS_GPU();
    std::mt19937 random(20261124);
    double worst = 0;
    for (int i = 0; i < cases; ++i) {
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
  }
  void unusualPoints() {
    NEEDS_GPU();
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
        const double error = contractError(c, adjoint, random);
        QVERIFY2(error <= c.options.accuracy, qPrintable(QString::number(error)));
      }
  }

  void adjointIsTheTranspose() {
    NEEDS_GPU();
    std::mt19937 random(5);
    const auto plan = make<double>({3, Precision::double64, 1, 2}, {});
    plan->setPoints(test::pointsInBox(random, 90, 3, {1, 2, 3}, {1, 1, 1}),
                    test::pointsInBox(random, 70, 3, {3, 2, 1}, {3, 2, 4}));
    const std::vector<cdouble> a = test::normalData(random, 2 * 90), b = test::normalData(random, 2 * 70);
    std::vector<cdouble> forward(b.size()), adjoint(a.size());
    plan->forward(a.data(), forward.data());
    plan->adjoint(b.data(), adjoint.data());
    cdouble left = 0, right = 0;
    for (std::size_t i = 0; i < b.size(); ++i) left += forward[i] * std::conj(b[i]);
    for (std::size_t i = 0; i < a.size(); ++i) right += a[i] * std::conj(adjoint[i]);
    QVERIFY(std::abs(left - right) <= rounding * std::abs(left));
  }

  // Host arrays, device arrays on the transform's stream and on the caller's, a batch and its
  // parts: all the same.
  void valuesMayLieAnywhere_data() {
    QTest::addColumn<int>("batch");
    QTest::newRow("one pass") << 6;
    QTest::newRow("two passes") << 18;
    QTest::newRow("a pass an image") << 17;
  }
  void valuesMayLieAnywhere() {
    NEEDS_GPU();
    QFETCH(int, batch);
    constexpr std::int64_t sourceCount = 300, targetCount = 200;
    std::mt19937 random(6);
    const std::vector<double> sources = test::pointsInBox(random, sourceCount, 2, {}, {1, 1, 1}),
                              targets = test::pointsInBox(random, targetCount, 2, {}, {9, 9, 9});
    const std::vector<cdouble> u = test::normalData(random, batch * sourceCount);
    const auto all = make<double>({2, Precision::double64, -1, batch}, {}),
               one = make<double>({2, Precision::double64, -1, 1}, {});
    all->setPoints(sources, targets);
    one->setPoints(sources, targets);
    QCOMPARE(all->sources(), sourceCount);
    QCOMPARE(all->targets(), targetCount);
    std::vector<cdouble> together(std::size_t(batch * targetCount)), back(u.size());
    all->forward(u.data(), together.data());
    all->adjoint(together.data(), back.data());
    for (std::int64_t b = 0; b < batch; ++b) {
      std::vector<cdouble> alone(targetCount);
      one->forward(u.data() + b * sourceCount, alone.data());
      const auto part = together.begin() + std::ptrdiff_t(b * targetCount);
      QVERIFY(difference({part, part + targetCount}, alone) <= rounding);
    }
    const OnDevice<cdouble> in(u), middle(together.size()), out(u.size());
    cudaStream_t stream = nullptr;
    QCOMPARE(cudaStreamCreate(&stream), cudaSuccess);
    for (void* const callers : {static_cast<void*>(nullptr), static_cast<void*>(stream)}) {
      all->forward(in.get(), middle.get(), {.devicePointers = true, .stream = callers});
      all->adjoint(middle.get(), out.get(), {.devicePointers = true, .stream = callers});
      QCOMPARE(cudaDeviceSynchronize(), cudaSuccess);
      QVERIFY(difference(middle.read(), together) <= rounding);
      QVERIFY(difference(out.read(), back) <= rounding);
    }
    QCOMPARE(cudaStreamDestroy(stream), cudaSuccess);
  }

  void noPoints() {
    NEEDS_GPU();
    const auto plan = make<float>({2, Precision::single, -1, 1}, {});
    cfloat value(1);
    QVERIFY_THROWS_EXCEPTION(Error, plan->forward(&value, &value));  // nothing is set
    plan->setPoints({}, std::vector{0.5, 0.5});
    plan->forward(nullptr, &value);
    QCOMPARE(value, cfloat(0));
    plan->setPoints(std::vector{0.5, 0.5}, {});
    value = 1;
    plan->adjoint(nullptr, &value);
    QCOMPARE(value, cfloat(0));
  }

  // Refusals say why, and leave the points that were set.
  void badInputIsRefused() {
    NEEDS_GPU();
    QVERIFY_THROWS_EXCEPTION(Error, make<float>({4, Precision::single, -1, 1}, {}));
    QVERIFY_THROWS_EXCEPTION(Error, make<float>({2, Precision::single, 1, 0}, {}));
    const auto plan = make<double>({1, Precision::double64, 1, 1}, {});
    const std::vector<double> sources{0, 1, 2}, targets{0, 0.25};
    plan->setPoints(sources, targets);
    const double bad = std::numeric_limits<double>::quiet_NaN();
    QVERIFY_THROWS_EXCEPTION(Error, plan->setPoints(std::vector{0., bad}, targets));
    QVERIFY_THROWS_EXCEPTION(Error, plan->setPoints(std::vector{0., 1e9}, std::vector{0., 1e9}));
    QCOMPARE(plan->sources(), 3);
    std::vector<cdouble> in{1, 1, 1}, out(2);
    plan->forward(in.data(), out.data());
    QVERIFY(std::abs(out[0] - 3.0) < 3e-3);
    in[1] = bad;
    QVERIFY_THROWS_EXCEPTION(Error, plan->forward(in.data(), out.data()));
    in[1] = 1;
    plan->forward(in.data(), out.data());
    QVERIFY(std::abs(out[0] - 3.0) < 3e-3);
    QVERIFY_THROWS_EXCEPTION(Error, plan->forward(in.data(), out.data(), {.devicePointers = true}));
    NufftOptions limited;
    limited.memoryLimit = 10'000;
    const auto small = make<double>({1, Precision::double64, 1, 1}, limited);
    QVERIFY_THROWS_EXCEPTION(Error, small->setPoints(std::vector{0., 1e3}, std::vector{0., 1e3}));
  }
};

SPOKELAB_TEST(TestGpuType3)

}  // namespace test_gpu_type3

#include "test_gpu_type3.moc"
