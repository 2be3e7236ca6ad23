// The GPU module's FFT passes, of every length: along x, y and z, padding and cropping, both signs,
// several images, against exact sums; and that plans use them.
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "engine/nufft/kernel/grid_size.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_line_passes {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

constexpr std::int64_t count = 100;

// An image whose grid has `length` cells along an axis, and `other` along the others.
struct Case {
  NufftProblem problem;
  NufftOptions options;
  Index3 grid{1, 1, 1};

  Case(Precision precision, int dims, int axis, int length, int other) {
    constexpr double ratio = 1.25;
    problem.precision = precision;
    options.accuracy = precision == Precision::single ? 1e-4 : 1e-8;
    const auto n = std::int64_t(length / ratio);
    options.alpha = double(length) / double(n);
    options.normal = NormalMethod::later;
    problem.dims = dims;
    for (int d = 0; d < dims; ++d) {
      problem.size[std::size_t(d)] = d == axis ? n : std::int64_t(double(other) / options.alpha);
      grid[std::size_t(d)] = d == axis ? length : other;
    }
  }
};

QString text(const Errors& e) {
  return QString("forward %1, adjoint %2").arg(e.forward).arg(e.adjoint);
}

Errors batchAgainstSingle(Case c, std::int64_t batch) {
  const auto points = makePoints(c.problem.dims, count, PointPattern::random, 1);
  c.problem.batch = batch;
  return gputest::batchAgainstSingle(c.problem, c.options, points);
}

}  // namespace

class TestGpuLinePasses : public QObject {
  Q_OBJECT
 private slots:
  void everyLengthAgreesWithExactSums_data() {
    constexpr int maxLength3d = 512;
    QTest::addColumn<bool>("single");
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("axis");
    QTest::addColumn<int>("length");
    for (const bool single : {true, false})
      for (const int length : gpuPassLengths)
        for (int dims = 2; dims <= 3; ++dims)
          for (int axis = dims == 3 ? 1 : 0; axis < dims; ++axis)
            if (length <= (dims == 3 ? maxLength3d : length))
              QTest::addRow("%s, %d-D, %d along %c", single ? "float" : "double", dims, length, "xyz"[axis])
                  << single << dims << axis << length;
  }
  void everyLengthAgreesWithExactSums() {
    NEEDS_GPU();
    QFETCH(bool, single);
    QFETCH(int, dims);
    QFETCH(int, axis);
    QFETCH(int, length);
    // The number of lines is not a multiple of a block's.
    Case c(single ? Precision::single : Precision::double64, dims, axis, length, dims == 2 ? 60 : 42);
    QCOMPARE(single ? backend()->plan<float>(c.problem, c.options)->info().grid
                    : backend()->plan<double>(c.problem, c.options)->info().grid,
             c.grid);
    const auto points = makePoints(dims, count, PointPattern::random, 3);
    for (const int sign : {-1, 1}) {
      c.problem.sign = sign;
      const Errors e = errorsAgainstNudft(c.problem, c.options, points, 4);
      QVERIFY2(e.forward <= c.options.accuracy && e.adjoint <= c.options.accuracy, qPrintable(text(e)));
    }
  }

  // One kernel: all radices, one stage and several. Two: every length of a row, with short and long
  // columns. cuFFT beyond.
  void lines_data() {
    QTest::addColumn<bool>("single");
    QTest::addColumn<int>("length");
    std::vector<int> lengths{32, 36, 42, 50, 90, 98, 144, 686, 750, 1000, 1024, 1458, 1920, 2000, 2048};
    for (const int row : gpuSplitLengths)
      for (const int column : {72, 100, 768}) lengths.push_back(row * column);
    for (const int length : {160 * 800, 48 * 2688, 32 * 4096, 139'968}) lengths.push_back(length);
    for (const bool single : {true, false})
      for (const int length : lengths)
        QTest::addRow("%s, %d", single ? "float" : "double", length) << single << length;
  }
  void lines() {
    NEEDS_GPU();
    QFETCH(bool, single);
    QFETCH(int, length);
    Case c(single ? Precision::single : Precision::double64, 1, 0, length, 1);
    const auto points = makePoints(1, count, PointPattern::random, 3);
    const auto planned = [&](const auto& plan) {
      QCOMPARE(plan->info().grid, c.grid);
      plan->setPoints(points);
      using Value = std::remove_reference_t<decltype(*plan)>::Complex;
      std::vector<Value> samples(count), image(static_cast<std::size_t>(c.problem.size[0]), Value(1));
      const StageTimings timings = timedStages([&] { plan->forward(image.data(), samples.data()); });
      if (qEnvironmentVariableIsEmpty("SPOKELAB_CUDA_LIMITS"))
        QCOMPARE(timings[Stage::deapodize] > 0, !hasPassesOn(gpuBackend, c.problem, c.grid));
    };
    if (single)
      planned(backend()->plan<float>(c.problem, c.options));
    else
      planned(backend()->plan<double>(c.problem, c.options));
    // The contract is of the mean over draws, of which a short line has a few values.
    constexpr double oneDraw = 1.5;
    for (const int sign : {-1, 1}) {
      c.problem.sign = sign;
      const Errors e = errorsAgainstNudft(c.problem, c.options, points, 4);
      QVERIFY2(std::max(e.forward, e.adjoint) <= oneDraw * c.options.accuracy, qPrintable(text(e)));
    }
    const Errors d = batchAgainstSingle(c, 3);
    const double rounding = single ? 2e-6 : 1e-11;
    QVERIFY2(d.forward < rounding && d.adjoint < rounding, qPrintable(text(d)));
  }

  void imagesOfABatchEqualSingleOnes_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("length");
    for (const int length : {36, 112, 270, 512, 672, 1440, 2304, 2688, 4096})
      for (int dims = 2; dims <= (length <= 112 ? 3 : 2); ++dims)
        QTest::addRow("%d-D, %d", dims, length) << dims << length;
  }
  void imagesOfABatchEqualSingleOnes() {
    NEEDS_GPU();
    QFETCH(int, dims);
    QFETCH(int, length);
    constexpr std::int64_t batch = 3;
    // Rounding of sums in any order, times up to 10^4, by which deapodization lifts the corners of
    // an image with wide kernels.
    constexpr double rounding = 2e-6, roundingDouble = 1e-11;
    const Errors e = batchAgainstSingle(Case(Precision::single, dims, dims - 1, length, 54), batch);
    QVERIFY2(e.forward < rounding && e.adjoint < rounding, qPrintable(text(e)));
    const Errors d = batchAgainstSingle(Case(Precision::double64, dims, dims - 1, length, 54), batch);
    QVERIFY2(d.forward < roundingDouble && d.adjoint < roundingDouble, qPrintable(text(d)));
  }

  // The stage of padding and cropping kernels beside cuFFT does not come up.
  void plansOfUnequalImagesTakeThem() {
    NEEDS_GPU();
    for (const auto& [dims, size] : {std::pair{2, Index3{56, 72, 1}}, std::pair{2, Index3{969, 919, 1}},
                                     std::pair{2, Index3{1751, 2013, 1}}, std::pair{3, Index3{51, 51, 51}},
                                     std::pair{3, Index3{60, 68, 58}}, std::pair{3, Index3{72, 88, 64}}})
      for (const double alpha : {1.2, 1.3}) {
        NufftProblem problem;
        problem.dims = dims;
        problem.size = size;
        NufftOptions options;
        options.accuracy = 1e-3;
        options.alpha = alpha;
        options.normal = NormalMethod::later;
        const auto plan = backend()->plan<float>(problem, options);
        const Index3 grid = plan->info().grid;
        QCOMPARE(grid, gridSizeOn(gpuBackend, problem, alpha, plan->info().options.width));
        plan->setPoints(makePoints(dims, 1000, PointPattern::random, 1));
        const auto image = converted<float>(randomValues(problem.pixels(), 2));
        std::vector<cfloat> samples(1000);
        const StageTimings timings = timedStages([&] { plan->forward(image.data(), samples.data()); });
        // Devices with less shared memory lack the longest.
        if (qEnvironmentVariableIsEmpty("SPOKELAB_CUDA_LIMITS"))
          QCOMPARE(timings[Stage::deapodize] > 0, !hasPassesOn(gpuBackend, problem, grid));
      }
  }
};

SPOKELAB_CORE_TEST(TestGpuLinePasses)

}  // namespace test_gpu_line_passes

#include "test_gpu_line_passes.moc"
