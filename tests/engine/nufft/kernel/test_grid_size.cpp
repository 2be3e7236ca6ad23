// Grids of a backend's plans: on the GPU they have passes where that takes few more cells,
// elsewhere nothing changes.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <string>

#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/tune/candidates.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_grid_size {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int draws = 500;

// Images of unequal sides, within the grids that passes are made for.
NufftProblem randomProblem(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const int dims = uniform(random) < 0.5 ? 2 : 3;
  const Precision precision = uniform(random) < 0.5 ? Precision::single : Precision::double64;
  const double longest = dims == 3 ? 8 : precision == Precision::single ? 40 : 11;
  const double side = 24 * std::pow(longest, uniform(random));
  Index3 size{1, 1, 1};
  for (int d = 0; d < dims; ++d) size[std::size_t(d)] = std::int64_t(side * std::exp2(uniform(random) / 2));
  return problemOf(dims, size, precision);
}

double randomAlpha(std::mt19937& random) {
  return std::uniform_real_distribution<double>(1.05, 2)(random);
}

// Names itself as the GPU's, with methods of the CPU.
class NamedAsGpu : public CountingCpuBackend {
 public:
  std::string name() const override { return gpuBackend; }
};

}  // namespace

class TestGridSize : public QObject {
  Q_OBJECT
 private slots:
  void lengthsOfPassesAreFastSizes();
  void gridsOfTheGpuHavePasses();
  void linesOfTheGpuHavePasses();
  void otherGridsAreAsTheyWere();
  void errorsOnLargerGridsAreNotLarger();
  void ratiosOfTheGpuAreTheLargestOfTheirGrids();
  void singleDimensionsHaveTheirLeastRatios();
  void noRatioIsBelowThoseOfAllDimensions();
  void candidatesHaveTheGridsOfTheirBackend();
  void onePixelHasARatio();
  void axesOfOnePixelHaveNoPasses();
};

void TestGridSize::lengthsOfPassesAreFastSizes() {
  QVERIFY(std::is_sorted(std::begin(gpuPassLengths), std::end(gpuPassLengths)));
  for (const int length : gpuPassLengths) QCOMPARE(nextFastSize(length), std::int64_t(length));
}

void TestGridSize::gridsOfTheGpuHavePasses() {
  std::mt19937 random(5);
  int without = 0;
  for (int i = 0; i < draws; ++i) {
    const NufftProblem p = randomProblem(random);
    const double alpha = randomAlpha(random);
    const Index3 grid = gridSizeOn(gpuBackend, p, alpha, 5), least = gridSize(p, alpha, 5);
    for (std::size_t d = 0; d < 3; ++d)
      QVERIFY(double(grid[d]) >= alpha * double(p.size[d]) || p.size[d] == 1);
    QVERIFY(double(product(grid)) <= 1.125 * double(product(least)));
    if (hasPassesOn(gpuBackend, p, grid)) continue;
    QCOMPARE(grid, least);
    ++without;
  }
  QVERIFY2(without < draws / 20, qPrintable(QString::number(without)));
}

void TestGridSize::linesOfTheGpuHavePasses() {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> octaves(4, 16);
  double cells = 0, fewest = 0;
  for (int i = 0; i < draws; ++i) {
    const auto pixels = std::int64_t(std::exp2(octaves(random)));
    const NufftProblem p = problemOf(1, {pixels, 1, 1}, i % 2 == 0 ? Precision::single : Precision::double64);
    const double alpha = std::min(randomAlpha(random), 1.9);  // 32 x 4096 cells are the most
    const Index3 grid = gridSizeOn(gpuBackend, p, alpha, 5), least = gridSize(p, alpha, 5);
    QVERIFY2(hasPassesOn(gpuBackend, p, grid), qPrintable(QString::number(grid[0])));
    QVERIFY(!hasPassesOn("cpu", p, grid) && double(grid[0]) >= alpha * double(pixels));
    QCOMPARE(nextFastSize(grid[0]), grid[0]);
    const SplitLengths split = splitLengths(grid[0]);
    if (grid[0] <= maxGpuBlockLine)
      QCOMPARE(split.row, 0);
    else
      QCOMPARE(std::int64_t(split.row) * split.column, grid[0]);
    cells += double(grid[0]);
    fewest += double(least[0]);
  }
  QVERIFY2(cells < 1.03 * fewest, qPrintable(QString::number(cells / fewest)));
  // Beyond, grids are what they were.
  const NufftProblem longer = problemOf(1, {200'000, 1, 1});
  QCOMPARE(gridSizeOn(gpuBackend, longer, 1.25, 5), gridSize(longer, 1.25, 5));
  QVERIFY(!hasPassesOn(gpuBackend, longer, gridSize(longer, 1.25, 5)));
}

void TestGridSize::otherGridsAreAsTheyWere() {
  std::mt19937 random(6);
  for (int i = 0; i < draws; ++i) {
    NufftProblem p = randomProblem(random);
    const double alpha = randomAlpha(random);
    QCOMPARE(gridSizeOn("cpu", p, alpha, 5), gridSize(p, alpha, 5));
    QVERIFY(!hasPassesOn("cpu", p, {64, 64, 64}));
  }
  for (const Precision precision : {Precision::single, Precision::double64}) {
    const NufftProblem images = problemOf(2, {1200, 1200, 1}, precision);
    QVERIFY(hasPassesOn(gpuBackend, images, gridSizeOn(gpuBackend, images, 1.25, 5)));
  }
  for (const NufftProblem& p :
       {problemOf(1, {125, 1, 1}), problemOf(3, {125, 125, 1}), problemOf(2, {4000, 4000, 1})})
    QCOMPARE(gridSizeOn(gpuBackend, p, 1.25, 5), gridSize(p, 1.25, 5));
}

// Kernels may therefore be chosen for the grid of all backends.
void TestGridSize::errorsOnLargerGridsAreNotLarger() {
  std::mt19937 random(7);
  for (const double accuracy : {1e-1, 1e-2, 1e-4})
    for (int i = 0; i < draws / 10; ++i) {
      const NufftProblem p = randomProblem(random);
      NufftOptions options;
      options.accuracy = accuracy;
      options.alpha = std::max(1.25, randomAlpha(random));
      options = resolveOptions(p, options);
      const Kernel kernel(options.kernel, options.width, options.alpha);
      const Index3 grid = gridSizeOn(gpuBackend, p, options.alpha, options.width),
                   least = gridSize(p, options.alpha, options.width);
      constexpr double slack = 1.05;  // of kernels two cells wide; contractMargin has room for it
      QVERIFY(predictError(p, kernel, grid, 0).bound <= slack * predictError(p, kernel, least, 0).bound);
    }
}

void TestGridSize::ratiosOfTheGpuAreTheLargestOfTheirGrids() {
  std::mt19937 random(8);
  for (int i = 0; i < draws / 10; ++i) {
    const NufftProblem p = randomProblem(random);
    const std::vector<double> alphas = fastAlphasOn(gpuBackend, p), all = fastAlphas(p);
    QVERIFY(!alphas.empty() && alphas.size() <= all.size());
    QCOMPARE(alphas.back(), all.back());
    for (std::size_t a = 0; a + 1 < alphas.size(); ++a)
      QVERIFY(gridSizeOn(gpuBackend, p, alphas[a], 1) != gridSizeOn(gpuBackend, p, alphas[a + 1], 1));
    for (const double alpha : all) {
      const double kept = *std::lower_bound(alphas.begin(), alphas.end(), alpha);
      QCOMPARE(gridSizeOn(gpuBackend, p, alpha, 1), gridSizeOn(gpuBackend, p, kept, 1));
    }
  }
}

void TestGridSize::singleDimensionsHaveTheirLeastRatios() {
  std::mt19937 random(10);
  for (int i = 0; i < draws; ++i) {
    const NufftProblem p = randomProblem(random);
    const double alpha = randomAlpha(random);
    AxisRatios least{};
    for (double& ratio : least) ratio = random() % 2 ? 0 : randomAlpha(random);
    const Index3 grid = gridSize(p, alpha, 5, least), usual = gridSize(p, alpha, 5),
                 onGpu = gridSizeOn(gpuBackend, p, alpha, 5, least);
    for (std::size_t d = 0; d < 3; ++d) {
      const bool more = d < std::size_t(p.dims) && least[d] > alpha;
      QCOMPARE(grid[d], more ? gridSize(p, least[d], 5)[d] : usual[d]);
      QVERIFY(onGpu[d] >= grid[d]);
    }
    QVERIFY(double(product(onGpu)) <= 1.125 * double(product(grid)));
  }
}

// Their grid would belong to a larger ratio, and their kernels would be wider.
void TestGridSize::noRatioIsBelowThoseOfAllDimensions() {
  const NufftProblem p = problemOf(2, {47, 61, 1});
  const double largest = fastAlphas(p).back();
  QVERIFY(fastAlphas(p).front() < 1.1 && fastAlphas(p, {1.3, 0, 0}).front() < 1.1);
  for (const char* backend : {"cpu", gpuBackend}) {
    const std::vector<double> alphas = fastAlphasOn(backend, p, {1.3, 1.4, 0});
    QVERIFY(alphas.front() >= 1.3 && alphas.back() == largest);
    for (std::size_t a = 0; a + 1 < alphas.size(); ++a)
      QVERIFY(gridSizeOn(backend, p, alphas[a], 1, {1.3, 1.4, 0}) !=
              gridSizeOn(backend, p, alphas[a + 1], 1, {1.3, 1.4, 0}));
  }
  QCOMPARE(fastAlphas(p, {2.5, 2.5, 0}), std::vector{largest});
}

void TestGridSize::candidatesHaveTheGridsOfTheirBackend() {
  NamedAsGpu gpu;
  TuneFixture f(Precision::single, 2, {47, 61, 1});
  f.backends = {&f.backend, &gpu};
  int withPasses = 0, ofGpu = 0;
  for (const Candidate& c : enumerateCandidates(f.backends, f.request)) {
    QCOMPARE(c.grid, gridSizeOn(c.backend, f.request.problem, c.options.alpha, c.options.width));
    QVERIFY(c.predicted.bound <= f.request.options.accuracy);
    ofGpu += c.backend == gpuBackend ? 1 : 0;
    withPasses += hasPassesOn(c.backend, f.request.problem, c.grid) ? 1 : 0;
  }
  QVERIFY(ofGpu > 0 && withPasses > 0.8 * ofGpu);
}

void TestGridSize::onePixelHasARatio() {
  QCOMPARE(fastAlphas(problemOf(1, {1, 1, 1})), std::vector<double>{2});
}

void TestGridSize::axesOfOnePixelHaveNoPasses() {
  QVERIFY(hasPassesOn(gpuBackend, problemOf(2, {32, 32, 1}), {64, 64, 1}));
  QVERIFY(!hasPassesOn(gpuBackend, problemOf(2, {32, 1, 1}), {64, 64, 1}));
  QVERIFY(!hasPassesOn("cpu", problemOf(2, {32, 32, 1}), {64, 64, 1}));
}

SPOKELAB_TEST(TestGridSize)

}  // namespace test_grid_size

#include "test_grid_size.moc"
