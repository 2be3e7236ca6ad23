// Tensor cores in double: columns of both sizes in 2-D and points by their half of a column in 3-D,
// which follow from the number of points, give what the CPU's plan with the same kernel and grid
// gives; coils that share a block give what they give alone.
#include <QtTest>

#include <cmath>
#include <tuple>

#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_tensor_columns {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

NufftProblem plane(std::int64_t x, std::int64_t y) {
  NufftProblem problem;
  problem.dims = 2;
  problem.size = {x, y, 1};
  problem.precision = Precision::double64;
  return problem;
}

NufftOptions onTensorCores(double width) {
  NufftOptions options;
  options.accuracy = 0.5;  // a given width is taken whatever it reaches
  options.alpha = 2;
  options.width = width;
  options.kernel = KernelType::kaiserBessel;
  options.normal = NormalMethod::later;
  options.spread = options.interpolate = Method::tensor;
  return options;
}

bool hasColumns(const Nufft<double>& plan, int owned) {
  const std::string text = "columns " + std::to_string(owned) + "x" + std::to_string(owned);
  return plan.info().description.find(text) != std::string::npos;
}

// They differ by rounding, and by what the polynomials of either deviate from the kernel.
void compareWithCpu(const NufftProblem& problem, const NufftOptions& options,
                    const std::vector<double>& points) {
  const Errors onCpu = errorsOnCpu(problem, options, points, 3),
               e = errorsAgainstNudft(problem, options, points, 3);
  const QString both = QString("forward %1, %2 on the CPU; adjoint %3, %4")
                           .arg(e.forward)
                           .arg(onCpu.forward)
                           .arg(e.adjoint)
                           .arg(onCpu.adjoint);
  QVERIFY2(e.forward <= 1.05 * onCpu.forward + 2e-14, qPrintable(both));
  QVERIFY2(e.adjoint <= 1.05 * onCpu.adjoint + 2e-14, qPrintable(both));
}

}  // namespace

class TestGpuTensorColumns : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    NEEDS_GPU();
    if (!offers(Method::tensor, plane(40, 36), {})) QSKIP("This GPU has no products of double matrices");
  }

  void columnsFollowTheNumberOfPoints_data() {
    QTest::addColumn<double>("width");
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("column");
    const auto row = [](double width, int size, int count, int column) {
      QTest::addRow("W %g, %d pixels, %d points", width, size, count) << width << size << count << column;
    };
    for (const double width : {8.3, 9.0, 10.5, 12.0, 13.0, 14.2, 15.0, 16.0}) row(width, 40, 300, 32);
    for (const double width : {8.3, 9.0, 10.5, 12.0, 13.0}) row(width, 40, 16000, 16);
    // The grid is too small for columns of 32 cells, or has one of them.
    row(9.5, 12, 100, 16);
    row(12.0, 15, 200, 16);
    row(15.7, 16, 200, 32);
  }
  void columnsFollowTheNumberOfPoints() {
    QFETCH(double, width);
    QFETCH(int, size);
    QFETCH(int, count);
    QFETCH(int, column);
    const NufftProblem problem = plane(size, size - 1);
    const NufftOptions options = onTensorCores(width);
    for (const PointPattern pattern : {PointPattern::random, PointPattern::edges, PointPattern::clustered}) {
      const auto points = makePoints(2, count, pattern, 9);
      const auto plan = backend()->plan<double>(problem, options);
      plan->setPoints(points);
      QVERIFY2(hasColumns(*plan, column + 1 - int(std::ceil(width))), plan->info().description.c_str());
      compareWithCpu(problem, options, points);
    }
  }

  void densePointsGoByHalves_data() {
    QTest::addColumn<double>("width");
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("halves");
    for (const double width : {4.6, 5.0, 6.0, 6.5, 7.0, 7.84, 8.0, 8.3, 9.0}) {
      QTest::addRow("W %g, dense", width) << width << 20000 << true;
      QTest::addRow("W %g, few", width) << width << 2000 << false;
    }
    QTest::addRow("W 9.2, dense") << 9.2 << 20000 << false;  // touches all quarters of a column
  }
  void densePointsGoByHalves() {
    QFETCH(double, width);
    QFETCH(int, count);
    QFETCH(bool, halves);
    NufftProblem problem = plane(13, 11);
    problem.dims = 3;
    problem.size[2] = 17;
    const NufftOptions options = onTensorCores(width);
    for (const PointPattern pattern : {PointPattern::random, PointPattern::edges, PointPattern::clustered}) {
      const auto plan = backend()->plan<double>(problem, options);
      const auto points = makePoints(3, count, pattern, 11);
      plan->setPoints(points);
      const std::string text = plan->info().description;
      QCOMPARE(text.find(" in halves") != std::string::npos, halves);
      compareWithCpu(problem, options, points);
    }
  }

  void aPlanTakesOtherColumnsWithOtherPoints() {
    const NufftProblem problem = plane(40, 40);
    const NufftOptions options = onTensorCores(9.2);
    const auto plan = backend()->plan<double>(problem, options);
    int wide = 0;
    for (const std::int64_t count : {300, 16000, 0, 16000, 300}) {
      const auto points = makePoints(2, count, PointPattern::random, unsigned(count));
      plan->setPoints(points);
      const auto samples = randomValues(count, 3);
      std::vector<cdouble> image(1600);
      plan->adjoint(samples.data(), image.data());
      if (hasColumns(*plan, 23)) ++wide;
      if (count == 0) {
        QCOMPARE(norm(image), 0.0);
        continue;
      }
      const double error = contractError<double>(image, nudftAdjoint(problem, points, samples), samples);
      QVERIFY2(error < 5e-8, QByteArray::number(error));
    }
    QCOMPARE(wide, 3);  // none and few
  }

  void coilsOfABatchEqualSingleOnes_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<double>("width");
    QTest::addColumn<int>("count");
    for (const auto& [dims, width, count] :
         {std::tuple{2, 5.5, 900}, std::tuple{2, 8.0, 9000}, std::tuple{2, 10.2, 300},
          std::tuple{2, 10.2, 20000}, std::tuple{2, 15.5, 900}, std::tuple{3, 5.0, 9000},
          std::tuple{3, 8.0, 900}, std::tuple{3, 11.4, 9000}, std::tuple{3, 15.0, 900}})
      QTest::addRow("%d-D, W %g, %d points", dims, width, count) << dims << width << count;
  }
  void coilsOfABatchEqualSingleOnes() {
    QFETCH(int, dims);
    QFETCH(double, width);
    QFETCH(int, count);
    NufftProblem problem = plane(34, 31);
    problem.dims = dims;
    if (dims == 3) problem.size[2] = 20;
    const NufftOptions options = onTensorCores(width);
    for (const std::int64_t coils : {6, 7}) {  // groups of four leave two over, or three
      problem.batch = coils;
      const Errors e = batchAgainstSingle(problem, options, makePoints(dims, count, PointPattern::random, 4));
      QVERIFY2(e.forward < 1e-13, QByteArray::number(e.forward));
      QVERIFY2(e.adjoint < 1e-13, QByteArray::number(e.adjoint));
    }
  }
};

SPOKELAB_CORE_TEST(TestGpuTensorColumns)

}  // namespace test_gpu_tensor_columns

#include "test_gpu_tensor_columns.moc"
