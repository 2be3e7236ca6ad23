// Impossible requests are refused with a reason, and the backend continues to work: memory limits,
// absurd sizes, unknown methods, data and points that are not finite. Without a GPU the module
// gives the reason.
#include <QtTest>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_refusals {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

NufftProblem cube(std::int64_t n) {
  NufftProblem problem;
  problem.dims = 3;
  problem.size = {n, n, n};
  return problem;
}

void verifyStillWorks() {
  const auto points = makePoints(3, 500, PointPattern::random, 1);
  const Errors e = errorsAgainstNudft(cube(12), NufftOptions{}, points, 1);
  QVERIFY(e.forward < 1e-3 && e.adjoint < 1e-3);
}

}  // namespace

class TestGpuRefusals : public QObject {
  Q_OBJECT
 private slots:
  void absenceHasAReason() {
    if (!backend())
      QVERIFY2(!reason().empty(), "no backend and no reason");
    else
      QVERIFY(backend()->badge().find("driver") != std::string::npos);
  }

  void memoryLimitIsKept() {
    NEEDS_GPU();
    NufftOptions options;
    options.memoryLimit = 10'000'000;
    QVERIFY_EXCEPTION_THROWN(backend()->plan<float>(cube(256), options), Error);
    options.memoryLimit = 200'000'000;
    const auto plan = backend()->plan<float>(cube(64), options);
    QVERIFY_EXCEPTION_THROWN(plan->setPoints(makePoints(3, 5'000'000, PointPattern::random, 1)), Error);
    plan->setPoints(makePoints(3, 1000, PointPattern::random, 1));
    QVERIFY(plan->info().memory <= options.memoryLimit);
    verifyStillWorks();
  }

  void estimateCoversWhatIsTaken_data() {
    QTest::addColumn<int>("method");
    for (const Method m :
         {Method::pointDriven, Method::pointSorted, Method::subproblem, Method::sector, Method::outputDriven,
          Method::fixedPoint, Method::tensor, Method::sparse, Method::cusparse})
      QTest::addRow("%s", std::string(methodName(m)).c_str()) << int(m);
  }
  void estimateCoversWhatIsTaken() {
    NEEDS_GPU();
    QFETCH(int, method);
    constexpr std::int64_t count = 300000;
    NufftOptions options;
    options.spread = Method(method);
    options.interpolate =
        options.spread == Method::tensor || options.spread == Method::sector || storesMatrix(options.spread)
            ? options.spread
            : Method::pointSorted;
    const std::int64_t estimate = backend()->estimateMemory(cube(48), options, count);
    const auto plan = backend()->plan<float>(cube(48), options);
    plan->setPoints(makePoints(3, count, PointPattern::random, 1));
    std::vector<cfloat> image(static_cast<std::size_t>(cube(48).pixels())),
        samples(static_cast<std::size_t>(count));
    plan->forward(image.data(), samples.data());
    plan->adjoint(samples.data(), image.data());
    const double ratio = double(plan->info().memory) / double(estimate);
    QVERIFY2(ratio <= 1.02 && ratio > 0.5, qPrintable(QString::number(ratio)));
  }

  // Buckets, which sort this number of points faster, take memory beside the estimate; the grid
  // lends most of it.
  void manyPointsKeepALimit() {
    NEEDS_GPU();
    constexpr std::int64_t count = (std::int64_t(1) << 20) + 1;
    const NufftProblem problem = cube(128);
    NufftOptions options;
    options.spread = options.interpolate = Method::tensor;
    const auto points = makePoints(3, count, PointPattern::random, 1);
    const auto memory = [&] {
      const auto plan = backend()->plan<float>(problem, options);
      plan->setPoints(points);
      return plan->info().memory;
    };
    const std::int64_t free = memory();
    options.memoryLimit = backend()->estimateMemory(problem, options, count);
    const std::int64_t limited = memory();
    QCOMPARE_LE(limited, options.memoryLimit);
    QCOMPARE_LT(limited, free);
  }

  void absurdSizesAreRefused() {
    NEEDS_GPU();
    for (const std::int64_t n : {4000, 40000, 1 << 30})
      QVERIFY_EXCEPTION_THROWN(backend()->plan<float>(cube(n), NufftOptions{}), Error);
    verifyStillWorks();
  }

  void methodsThatDoNotServeAreRefused() {
    NEEDS_GPU();
    NufftOptions options;
    options.spread = Method::blocked;
    QVERIFY_EXCEPTION_THROWN(backend()->plan<float>(cube(16), options), Error);
    options.spread = Method::fixedPoint;
    QVERIFY_EXCEPTION_THROWN(backend()->plan<double>(cube(16), options), Error);
    options.spread = Method::automatic;
    for (const Precomputation p : {Precomputation::tensor, Precomputation::none}) {
      options.precomputation = p;
      QVERIFY_EXCEPTION_THROWN(backend()->plan<float>(cube(16), options), Error);
    }
    options.precomputation = Precomputation::linear;
    options.spread = Method::tensor;
    QVERIFY_EXCEPTION_THROWN(backend()->plan<float>(cube(16), options), Error);
    verifyStillWorks();
  }

  void notFiniteIsReported() {
    NEEDS_GPU();
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();
    for (const Method method : {Method::pointDriven, Method::subproblem, Method::outputDriven,
                                Method::fixedPoint, Method::tensor}) {
      NufftOptions options;
      options.spread = method;
      options.interpolate = method == Method::tensor ? method : Method::automatic;
      const auto plan = backend()->plan<float>(cube(16), options);
      auto points = makePoints(3, 1000, PointPattern::random, 1);
      for (const double bad : {nan, infinity, -infinity}) {
        points[1234] = bad;
        QVERIFY_EXCEPTION_THROWN(plan->setPoints(points), Error);
        std::vector<cfloat> image(4096), samples(1000);
        QVERIFY_EXCEPTION_THROWN(plan->forward(image.data(), samples.data()), Error);
      }
      points[1234] = 0.1;
      plan->setPoints(points);
      auto samples = converted<float>(randomValues(1000, 1));
      auto image = converted<float>(randomValues(4096, 2));
      std::vector<cfloat> outImage(4096), outSamples(1000);
      for (const double bad : {nan, infinity}) {
        samples[500] = cfloat(float(bad), 0);
        QVERIFY_EXCEPTION_THROWN(plan->adjoint(samples.data(), outImage.data()), Error);
        samples[500] = 0;
        image[9] = cfloat(0, float(bad));
        QVERIFY_EXCEPTION_THROWN(plan->forward(image.data(), outSamples.data()), Error);
        image[9] = 0;
      }
      plan->adjoint(samples.data(), outImage.data());
      plan->forward(image.data(), outSamples.data());
    }
  }
};

SPOKELAB_CORE_TEST(TestGpuRefusals)

}  // namespace test_gpu_refusals

#include "test_gpu_refusals.moc"
