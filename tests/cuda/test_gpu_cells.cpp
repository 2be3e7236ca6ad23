// The GPU's special method for 1-D (sums of the points of each cell): every width, from few points
// a cell to many, crowds, edges, several images, points set again; and the data that plans share
// when one direction is open.
#include <QtTest>

#include <cmath>
#include <cstring>
#include <tuple>

#include "engine/core/error.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_cells {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

NufftProblem line(std::int64_t pixels, Precision precision, std::int64_t batch = 1) {
  NufftProblem problem;
  problem.dims = 1;
  problem.size = {pixels, 1, 1};
  problem.precision = precision;
  problem.batch = batch;
  return problem;
}

NufftOptions byCells(double accuracy) {
  NufftOptions options;
  options.accuracy = accuracy;
  options.normal = NormalMethod::later;
  options.spread = options.interpolate = Method::cell;
  return options;
}

QString text(const Errors& e) {
  return QString("forward %1, adjoint %2").arg(e.forward, 0, 'g', 12).arg(e.adjoint, 0, 'g', 12);
}

}  // namespace

class TestGpuCells : public QObject {
  Q_OBJECT
 private slots:
  void everyWidthAgreesWithTheCpu_data() {
    QTest::addColumn<double>("width");
    for (const double w :
         {1.75, 2.0, 2.5, 3.0, 4.25, 5.0, 6.5, 7.0, 8.0, 8.5, 9.0, 10.0, 11.5, 12.0, 13.0, 14.0, 15.0, 16.0})
      QTest::addRow("W %g", w) << w;
  }
  void everyWidthAgreesWithTheCpu() {
    NEEDS_GPU();
    QFETCH(double, width);
    NufftOptions options = byCells(0.5);  // a given width is taken whatever it reaches
    options.alpha = 2;
    options.width = width;
    const NufftProblem problem = line(101, Precision::double64);
    // One to eight threads a cell, and cells so full that a warp takes them.
    for (const std::int64_t count : {1, 70, 1300, 2700, 5000, 10000})
      for (const PointPattern pattern :
           {PointPattern::random, PointPattern::clustered, PointPattern::edges, PointPattern::oneCell}) {
        const auto points = makePoints(1, count, pattern, 9);
        const Errors onCpu = errorsOnCpu(problem, options, points, 3);
        const Errors e = errorsAgainstNudft(problem, options, points, 3);
        // The same kernel on the same grid: they differ by rounding alone.
        const QString both = text(e) + "; on the CPU " + text(onCpu);
        QVERIFY2(std::abs(e.adjoint - onCpu.adjoint) <= 1e-6 * onCpu.adjoint + 1e-13, qPrintable(both));
        QVERIFY2(std::abs(e.forward - onCpu.forward) <= 1e-6 * onCpu.forward + 1e-13, qPrintable(both));
      }
  }

  void shortestImagesAreServed() {
    NEEDS_GPU();
    for (const std::int64_t pixels : {1, 2, 3, 17})
      for (const bool dbl : {false, true}) {
        const NufftProblem problem = line(pixels, dbl ? Precision::double64 : Precision::single);
        for (const double accuracy : {1e-2, 1e-5}) {
          const Errors e =
              errorsAgainstNudft(problem, byCells(accuracy), makePoints(1, 500, PointPattern::random, 2), 5);
          QVERIFY2(e.forward <= accuracy && e.adjoint <= accuracy, qPrintable(text(e)));
        }
      }
  }

  // Images so long, and oversampled so little, that the error of most pixels is nothing beside that
  // of the last few hundred.
  void longImagesKeepTheAccuracyNearAlphaOne_data() {
    QTest::addColumn<double>("alpha");
    QTest::addColumn<double>("accuracy");
    QTest::addColumn<int>("kernel");
    for (const KernelType kernel : {KernelType::kaiserBessel, KernelType::prolate})
      for (const auto& [alpha, accuracy] :
           {std::pair{1.032, 2.9e-3}, std::pair{1.057, 5.4e-4}, std::pair{1.063, 4.5e-4}})
        QTest::addRow("alpha %g, %g, %s", alpha, accuracy, std::string(kernelName(kernel)).c_str())
            << alpha << accuracy << int(kernel);
  }
  void longImagesKeepTheAccuracyNearAlphaOne() {
    NEEDS_GPU();
    QFETCH(double, alpha);
    QFETCH(double, accuracy);
    QFETCH(int, kernel);
    NufftOptions options;
    options.accuracy = accuracy;
    options.alpha = alpha;
    options.kernel = KernelType(kernel);
    const NufftProblem problem = line(20000, Precision::single);
    for (const Method method : {Method::cell, Method::pointSorted}) {
      options.spread = options.interpolate = method;
      constexpr int draws = 8;
      double forward = 0, adjoint = 0;
      for (int d = 0; d < draws; ++d) {
        const auto points = makePoints(1, 1000, PointPattern::random, unsigned(d));
        const Errors e = errorsAgainstNudft(problem, options, points, unsigned(100 * d + 7));
        forward += e.forward * e.forward / draws;
        adjoint += e.adjoint * e.adjoint / draws;
      }
      const Errors all{std::sqrt(forward), std::sqrt(adjoint)};
      QVERIFY2(all.forward <= accuracy && all.adjoint <= accuracy, qPrintable(text(all)));
    }
  }

  void imagesOfABatchEqualSingleOnes_data() {
    QTest::addColumn<bool>("dbl");
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("count");
    // A warp, a block and many blocks take a crowded cell.
    for (const bool dbl : {false, true})
      for (const auto& [pattern, count, name] : {std::tuple{PointPattern::random, 5000, "random"},
                                                 std::tuple{PointPattern::clustered, 5000, "clustered"},
                                                 std::tuple{PointPattern::oneCell, 900, "one cell"},
                                                 std::tuple{PointPattern::oneCell, 2500, "one cell"},
                                                 std::tuple{PointPattern::oneCell, 10000, "one cell"}})
        QTest::addRow("%s, %d points, %s", dbl ? "double" : "float", count, name)
            << dbl << int(pattern) << count;
  }
  // Images that share kernel values, and those left over.
  void imagesOfABatchEqualSingleOnes() {
    NEEDS_GPU();
    QFETCH(bool, dbl);
    QFETCH(int, pattern);
    QFETCH(int, count);
    constexpr std::int64_t pixels = 1203, batch = 7;
    const double accuracy = dbl ? 1e-10 : 1e-4, rounding = dbl ? 1e-14 : 1e-6;
    const Errors e = batchAgainstSingle(line(pixels, dbl ? Precision::double64 : Precision::single, batch),
                                        byCells(accuracy), makePoints(1, count, PointPattern(pattern), 1));
    QVERIFY2(e.forward < rounding && e.adjoint < rounding, qPrintable(text(e)));
  }

  void pointsMayBeSetAgain() {
    NEEDS_GPU();
    const NufftProblem problem = line(500, Precision::double64);
    const auto plan = backend()->plan<double>(problem, byCells(1e-8));
    for (const std::int64_t count : {20000, 300, 0, 100000}) {
      const auto points = makePoints(1, count, PointPattern::random, unsigned(count));
      plan->setPoints(points);
      const auto samples = randomValues(count, 3);
      std::vector<cdouble> image(500);
      plan->adjoint(samples.data(), image.data());
      QVERIFY(contractError<double>(image, nudftAdjoint(problem, points, samples), samples) < 1e-8);
    }
  }

  void sumsRepeatBitByBit() {
    NEEDS_GPU();
    const auto points = makePoints(1, 100'000, PointPattern::clustered, 3);
    const auto samples = randomValues(100'000, 2);
    NufftOptions options = byCells(1e-9);
    options.reproducible = true;
    std::vector<cdouble> first;
    for (int run = 0; run < 4; ++run) {
      const auto plan = backend()->plan<double>(line(4000, Precision::double64), options);
      plan->setPoints(points);
      std::vector<cdouble> image(4000);
      plan->adjoint(samples.data(), image.data());
      if (run == 0) first = image;
      QVERIFY(std::memcmp(first.data(), image.data(), image.size() * sizeof(cdouble)) == 0);
    }
  }

  void isRefusedBeyondOneDimension() {
    NEEDS_GPU();
    NufftProblem problem;
    problem.dims = 2;
    problem.size = {16, 16, 1};
    QVERIFY_EXCEPTION_THROWN(backend()->plan<float>(problem, byCells(1e-3)), Error);
  }

  // A plan for one direction has neither a sort nor a matrix for the other one, which is left open.
  void openDirectionSharesTheOrder_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("method");
    QTest::addColumn<bool>("spreads");
    for (int dims = 1; dims <= 3; ++dims) {
      for (const Method m : {Method::pointDriven, Method::pointSorted, Method::subproblem, Method::fixedPoint,
                             Method::outputDriven, Method::sector, Method::sparse})
        QTest::addRow("%d-D spread %s", dims, std::string(methodName(m)).c_str()) << dims << int(m) << true;
      for (const Method m :
           {Method::pointDriven, Method::pointSorted, Method::subproblem, Method::sector, Method::sparse})
        QTest::addRow("%d-D interpolate %s", dims, std::string(methodName(m)).c_str())
            << dims << int(m) << false;
    }
  }
  void openDirectionSharesTheOrder() {
    NEEDS_GPU();
    QFETCH(int, dims);
    QFETCH(int, method);
    QFETCH(bool, spreads);
    NufftProblem problem;
    problem.dims = dims;
    problem.size = {48, dims > 1 ? 40 : 1, dims > 2 ? 32 : 1};
    NufftOptions options;
    options.normal = NormalMethod::later;
    (spreads ? options.spread : options.interpolate) = Method(method);
    constexpr std::int64_t count = 200'000;
    const auto points = makePoints(dims, count, PointPattern::random, 3);
    const auto memoryOf = [&](const NufftOptions& o) {
      const auto plan = backend()->plan<float>(problem, o);
      plan->setPoints(points);
      return plan->info().memory;
    };
    const std::int64_t held = memoryOf(options);
    const Method other = spreads ? backend()->plan<float>(problem, options)->info().options.interpolate
                                 : backend()->plan<float>(problem, options)->info().options.spread;
    QVERIFY(!storesMatrix(other));
    // With unsorted points in the other direction a second sort is not made; tiles and tasks are
    // small.
    NufftOptions alone = options;
    (spreads ? alone.interpolate : alone.spread) = Method::pointDriven;
    constexpr std::int64_t tiles = 1 << 20;
    QVERIFY(held <= memoryOf(alone) + tiles);
    // gm-sort takes the bins of any method, when it is named, too.
    NufftOptions named = options;
    (spreads ? named.interpolate : named.spread) = Method::pointSorted;
    if (Method(method) != Method::pointDriven) QVERIFY(memoryOf(named) <= memoryOf(alone) + tiles);
    const Errors e = errorsAgainstNudft(problem, options, makePoints(dims, 2000, PointPattern::random, 4), 5);
    QVERIFY2(e.forward <= options.accuracy && e.adjoint <= options.accuracy, qPrintable(text(e)));
  }
};

SPOKELAB_CORE_TEST(TestGpuCells)

}  // namespace test_gpu_cells

#include "test_gpu_cells.moc"
