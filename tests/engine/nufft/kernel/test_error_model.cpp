// The error model against measurements, and what is built on it: widths and grid sizes.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/nufft/kernel/crowding.h"
#include "engine/nufft/kernel/deapodization.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/kernel/smallest_width.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/tune/tune.h"
#include "tests/engine/nufft/contract.h"
#include "tests/test_main.h"

namespace test_error_model {

using namespace spokelab;
using namespace spokelab::test;

class TestErrorModel : public QObject {
  Q_OBJECT
 private slots:
  void predictsAliasingWithinAFactorOfTwo();
  void roundingStaysBelowItsPrediction();
  void noiseOfTheGridGrowsAsTheImageIsDeapodized();
  void worstPixelIsFound();
  void worstPositionIsFound_data();
  void worstPositionIsFound();
  void longImagesArePredictedNearAlphaOne();
  void fallsWithTheWidth();
  void smallestWidthIsSmallest();
  void gridSizesAreFast();
  void fastAlphasGiveDistinctGrids();
};

void TestErrorModel::predictsAliasingWithinAFactorOfTwo() {
  std::mt19937 random(11);
  for (const KernelType kernel :
       {KernelType::kaiserBessel, KernelType::semicircle, KernelType::prolate, KernelType::gaussian})
    for (const double alpha : {1.125, 1.25, 1.5, 2.0, 2.5})
      for (const double accuracy : {1e-1, 1e-3, 1e-6, 1e-8})
        for (const bool adjoint : {false, true}) {
          ContractCase c;
          c.problem = problemOf(2, {24, 31, 1});
          c.options.kernel = kernel;
          c.options.alpha = alpha;
          c.options.accuracy = accuracy;
          c.adjoint = adjoint;
          c.points = uniformPoints(random, 100, 2);
          if (smallestWidth(c.problem, kernel, alpha, accuracy) == 0) continue;
          const ContractResult r = runContract(c, random);
          QVERIFY2(r.error < 2 * r.predicted && r.error > 0.5 * r.predicted,
                   qPrintable(QString("%1: %2 predicted %3")
                                  .arg(QString::fromStdString(c.text()))
                                  .arg(r.error)
                                  .arg(r.predicted)));
        }
}

// Kernels so wide that only rounding is left of the error. As many points as may be summed at one
// level come close to the prediction; fewer, and more, which are summed at two, stay below it.
void TestErrorModel::roundingStaysBelowItsPrediction() {
  std::mt19937 random(12);
  double lowest = HUGE_VAL, highest = 0;
  for (const Index3& size : {Index3{24, 24, 1}, Index3{64, 40, 1}, Index3{16, 12, 14}})
    for (const auto& [alpha, width] :
         {std::pair{1.25, 8.73}, {1.25, 11.0}, {1.5, 9.0}, {2.0, 7.5}, {2.0, 9.0}, {1.125, 9.0}})
      for (const double pointsPerBlock : {2.0, 45.0, 400.0}) {
        ContractCase c;
        const int dims = size[2] == 1 ? 2 : 3;
        c.problem = problemOf(dims, size, Precision::single);
        c.options.alpha = alpha;
        c.options.width = width;
        const Kernel kernel(c.options.kernel, width, alpha);
        const Index3 grid = gridSize(c.problem, alpha, width);
        const PredictedError e = predictError(c.problem, kernel, grid, 0);
        if (e.aliasing > 0.3 * e.rounding || e.rounding > 0.1) continue;
        c.options.accuracy = 1.05 * e.bound;
        c.adjoint = true;
        c.draws = 2;
        const double blocks = double(product(grid)) / std::pow(crowdBlockCells, dims);
        c.points = uniformPoints(random, std::int64_t(pointsPerBlock * blocks), dims);
        const double ratio = runLargeContract(c, random).error / e.rounding;
        if (pointsPerBlock > 40 && pointsPerBlock < double(minCrowdLimit)) lowest = std::min(lowest, ratio);
        highest = std::max(highest, ratio);
      }
  qInfo("measured rounding: at most %.2f of the prediction; at the limit of one level at least %.2f", highest,
        lowest);
  QVERIFY(highest < 1 && lowest > 1.0 / 3);
}

void TestErrorModel::noiseOfTheGridGrowsAsTheImageIsDeapodized() {
  const NufftProblem problem = problemOf(2, {300, 41, 1}, Precision::single);
  for (const auto& [alpha, width] : {std::pair{1.125, 9.0}, {2.0, 6.5}}) {
    const Kernel kernel(KernelType::kaiserBessel, width, alpha);
    const Index3 grid = gridSize(problem, alpha, width);
    double gain = 1;
    for (std::size_t d = 0; d < 2; ++d) {
      double squares = 0;
      for (const double f : deapodization(kernel, problem.size[d], grid[d])) squares += f * f;
      gain *= std::sqrt(squares / double(problem.size[d]));
    }
    const double predicted = predictError(problem, kernel, grid, 0).noiseGain;
    QVERIFY2(std::abs(predicted - gain) < 1e-3 * gain,
             qPrintable(QString("%1, %2").arg(predicted).arg(gain)));
  }
}

void TestErrorModel::worstPixelIsFound() {
  std::mt19937 random(13);
  ContractCase c;
  c.problem = problemOf(1, {32, 1, 1});
  c.options.alpha = 1.25;
  c.options.width = 6;
  const PredictedError e =
      predictError(c.problem, Kernel(KernelType::kaiserBessel, 6, 1.25), gridSize(c.problem, 1.25, 6), 0);
  c.options.accuracy = 1.02 * e.bound;
  const auto plan = makeCpuNufftDouble(c.problem, c.options);
  const std::vector<double> points = uniformPoints(random, 400, 1);
  plan->setPoints(points);
  double worst = 0, mean = 0;
  for (std::int64_t pixel = 0; pixel < 32; ++pixel) {
    std::vector<cdouble> image(32), samples(400);
    image[std::size_t(pixel)] = 1;
    plan->forward(image.data(), samples.data());
    const std::vector<cdouble> exact = nudftForward(c.problem, points, image);
    double error = 0;
    for (std::size_t j = 0; j < 400; ++j) error += std::norm(samples[j] - exact[j]) / 400;
    worst = std::max(worst, std::sqrt(error));
    mean += error / 32;
  }
  QVERIFY(std::abs(worst / e.worstPixel - 1) < 0.2);
  QVERIFY(std::abs(std::sqrt(mean) / e.aliasing - 1) < 0.2);
}

// The adjoint of one point is a wave over the image; its error follows from the point's place between
// the cells, the same along all axes.
void TestErrorModel::worstPositionIsFound_data() {
  QTest::addColumn<double>("width");
  QTest::addColumn<double>("tolerance");
  QTest::newRow("W 6") << 6.0 << 0.1;
  // Errors of a narrow kernel are so large that the products of the axes' errors count.
  QTest::newRow("W 3.2") << 3.2 << 0.06;
}
void TestErrorModel::worstPositionIsFound() {
  QFETCH(double, width);
  QFETCH(double, tolerance);
  for (const Index3 size : {Index3{32, 1, 1}, Index3{24, 20, 1}, Index3{12, 10, 14}}) {
    ContractCase c;
    c.problem = problemOf(size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1, size);
    c.options.alpha = 1.25;
    c.options.width = width;
    const Index3 grid = gridSize(c.problem, 1.25, width);
    const PredictedError e = predictError(c.problem, Kernel(KernelType::kaiserBessel, width, 1.25), grid, 0);
    c.options.accuracy = 1.02 * e.bound;
    const auto plan = makeCpuNufftDouble(c.problem, c.options);
    double worst = 0;
    for (int position = 0; position <= 32; ++position) {
      std::vector<double> point;
      for (int d = 0; d < c.problem.dims; ++d)
        point.push_back((2 + position / 64.0) / double(grid[std::size_t(d)]));
      plan->setPoints(point);
      const std::vector<cdouble> sample = {1};
      std::vector<cdouble> image(std::size_t(product(size)));
      plan->adjoint(sample.data(), image.data());
      double error = 0;
      std::size_t at = 0;
      for (std::int64_t z = 0; z < size[2]; ++z)
        for (std::int64_t y = 0; y < size[1]; ++y)
          for (std::int64_t x = 0; x < size[0]; ++x) {
            const Index3 pixel = {x - size[0] / 2, y - size[1] / 2, z - size[2] / 2};
            double phase = 0;
            for (std::size_t d = 0; d < point.size(); ++d) phase += point[d] * double(pixel[d]);
            const cdouble wave = std::polar(1.0, -c.problem.sign * 2 * std::numbers::pi * phase);
            error += std::norm(image[at++] - wave) / double(product(size));
          }
      worst = std::max(worst, std::sqrt(error));
    }
    QVERIFY2(std::abs(worst / e.worstPosition - 1) < tolerance,
             qPrintable(QString("%1 measured, %2 predicted").arg(worst).arg(e.worstPosition)));
  }
}

// The error of a long image grows by orders of magnitude towards its edge, over a small part of it.
void TestErrorModel::longImagesArePredictedNearAlphaOne() {
  std::mt19937 random(14);
  for (const KernelType kernel : {KernelType::kaiserBessel, KernelType::semicircle, KernelType::prolate})
    for (const double alpha : {1.01, 1.032, 1.06}) {
      ContractCase c;
      c.problem = problemOf(1, {30000, 1, 1});
      c.options.kernel = kernel;
      c.options.alpha = alpha;
      c.options.width = 8.47;
      const PredictedError e = predictError(c.problem, Kernel(kernel, c.options.width, alpha),
                                            gridSize(c.problem, alpha, 8.47), 0);
      c.options.accuracy = 1.02 * e.bound;
      c.adjoint = true;
      c.draws = 2;
      c.points = uniformPoints(random, 1000, 1);
      const ContractResult r = runContract(c, random);
      QVERIFY2(std::abs(r.error / e.aliasing - 1) < 0.15,
               qPrintable(QString("%1: %2 predicted %3")
                              .arg(QString::fromStdString(c.text()))
                              .arg(r.error)
                              .arg(e.aliasing)));
    }
}

void TestErrorModel::fallsWithTheWidth() {
  const NufftProblem p = problemOf(3, {128, 128, 128});
  for (const KernelType type : {KernelType::kaiserBessel, KernelType::semicircle, KernelType::prolate}) {
    double last = 1;
    for (double w = 2.5; w <= 14; w += 0.5) {
      const double e = predictError(p, Kernel(type, w, 1.5), gridSize(p, 1.5, w), 0).aliasing;
      QVERIFY(e < last);
      last = e;
    }
    QVERIFY(last < 1e-9);
  }
}

void TestErrorModel::smallestWidthIsSmallest() {
  for (const Precision precision : {Precision::single, Precision::double64})
    for (const double alpha : {1.2, 1.5, 2.0})
      for (const double accuracy : {1e-1, 1e-3, 1e-4}) {
        const NufftProblem p = problemOf(2, {100, 80, 1}, precision);
        const double w = smallestWidth(p, KernelType::kaiserBessel, alpha, accuracy);
        auto bound = [&](double width) {
          return predictError(p, Kernel(KernelType::kaiserBessel, width, alpha), gridSize(p, alpha, width), 0)
              .bound;
        };
        QVERIFY(w > 0 && w * 64 == std::floor(w * 64));
        QVERIFY(bound(w) <= contractMargin * accuracy);
        QVERIFY(bound(w - 0.0625) > 0.98 * contractMargin * accuracy);
      }
  QCOMPARE(smallestWidth(problemOf(2, {100, 80, 1}, Precision::single), KernelType::kaiserBessel, 2, 1e-9),
           0.0);
}

void TestErrorModel::gridSizesAreFast() {
  std::int64_t last = 0;
  for (std::int64_t n = 1; n < 3000; ++n) {
    const std::int64_t g = nextFastSize(n);
    QVERIFY(g >= n && g % 2 == 0 && g >= last);
    std::int64_t rest = g;
    for (const std::int64_t f : {2, 3, 5, 7})
      while (rest % f == 0) rest /= f;
    QCOMPARE(rest, std::int64_t(1));
    last = g;
  }
  QCOMPARE(nextFastSize(1), std::int64_t(2));
  QCOMPARE(nextFastSize(127), std::int64_t(128));
  QCOMPARE(nextFastSize(129), std::int64_t(140));
  const NufftProblem p = problemOf(3, {100, 7, 1});
  const Index3 grid = gridSize(p, 1.28, 5.5);
  QCOMPARE(grid[0], std::int64_t(128));
  QCOMPARE(grid[1], std::int64_t(12));  // twice the kernel's cells
  QCOMPARE(grid[2], std::int64_t(12));
}

void TestErrorModel::fastAlphasGiveDistinctGrids() {
  for (const Index3& size : {Index3{128, 128, 128}, Index3{100, 64, 30}, Index3{7, 7, 1}, Index3{1, 1, 1}}) {
    const NufftProblem p = problemOf(3, size);
    Index3 last{0, 0, 0};
    const std::vector<double> alphas = fastAlphas(p);
    QVERIFY(!alphas.empty());
    for (const double a : alphas) {
      QVERIFY(a > 1 && a <= 2);
      const Index3 grid = gridSize(p, a, 1);
      QVERIFY(grid != last);
      last = grid;
    }
  }
}

SPOKELAB_TEST(TestErrorModel)

}  // namespace test_error_model

#include "test_error_model.moc"
