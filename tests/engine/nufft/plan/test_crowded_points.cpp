// The accuracy contract where points crowd: many terms then meet in a grid cell. Plans in single
// precision, up to 10^6 points and 2^10 pixels an axis (runLargeContract).
//
// SPOKELAB_CAMPAIGN=100 draws some thousand random problems (campaign.h).
#include <QtTest>

#include <cmath>
#include <map>
#include <numbers>

#include "engine/core/error.h"
#include "engine/nufft/plan/design.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/points/bin_sort.h"
#include "engine/nufft/points/crowding.h"
#include "engine/nufft/spread/crowded_sum.h"
#include "tests/campaign.h"
#include "tests/engine/nufft/contract.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_crowded_points {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int problems = 24;

enum class Pattern { clustered, onePlace, cornerBox, radial, spiral, uniform };

// Points [count, dims].
std::vector<double> pointsOf(Pattern pattern, std::int64_t count, int dims, double pixels,
                             std::mt19937& random) {
  constexpr int clusters = 12;
  std::normal_distribution<double> normal;
  std::vector<std::array<double, 3>> centre(clusters);
  for (auto& c : centre)
    for (double& k : c) k = uniform(random, -0.5, 0.5);
  const double box = 1.0 / double(1 << between(random, 2, 8)), clusterWidth = 3 / pixels;
  constexpr std::int64_t readout = 128;
  std::vector<double> points;
  std::array<double, 3> direction{};
  for (std::int64_t j = 0; j < count; ++j) {
    const double along = double(j % readout) / readout;
    if (j % readout == 0) {
      double length = 0;
      for (int d = 0; d < dims; ++d) {
        direction[std::size_t(d)] = normal(random);
        length = std::hypot(length, direction[std::size_t(d)]);
      }
      for (double& d : direction) d /= length;
    }
    for (std::size_t d = 0; d < std::size_t(dims); ++d) {
      double k = 0;
      switch (pattern) {
        case Pattern::clustered:
          k = centre[std::size_t(j % clusters)][d] + clusterWidth * normal(random);
          break;
        case Pattern::onePlace:
          k = centre[0][d];
          break;
        case Pattern::cornerBox:
          k = -0.5 + box * uniform(random, 0, 1);
          break;
        case Pattern::radial:
          k = (along - 0.5) * direction[d];
          break;
        case Pattern::spiral: {
          const double turn = 16 * std::numbers::pi * along + double(j / readout);
          k = 0.5 * along * along * (d == 0 ? std::cos(turn) : d == 1 ? std::sin(turn) : direction[2]);
          break;
        }
        case Pattern::uniform:
          k = uniform(random, -0.5, 0.5);
      }
      points.push_back(k);
    }
  }
  return points;
}

std::vector<cdouble> equalData(std::mt19937&, std::int64_t count) {
  return std::vector<cdouble>(std::size_t(count), cdouble(0.3, -0.7));
}

std::vector<cdouble> positiveData(std::mt19937& random, std::int64_t count) {
  std::vector<cdouble> u(static_cast<std::size_t>(count));
  for (cdouble& v : u) v = uniform(random, 0, 1);
  return u;
}

ContractCase caseOf(Pattern pattern, std::int64_t count, int dims, std::int64_t pixels, double accuracy,
                    std::mt19937& random) {
  ContractCase c;
  c.problem = problemOf(dims, {pixels, dims > 1 ? pixels : 1, dims > 2 ? pixels : 1}, Precision::single);
  c.options.accuracy = accuracy;
  c.options.threads = 1;
  c.points = pointsOf(pattern, count, dims, double(pixels), random);
  c.adjoint = true;
  c.draws = 2;
  return c;
}

QString resultText(const ContractCase& c, const ContractResult& r) {
  return QString("%1: %2 (bound %3)").arg(QString::fromStdString(c.text())).arg(r.error).arg(r.predicted);
}

}  // namespace

class TestCrowdedPoints : public QObject {
  Q_OBJECT
 private slots:
  void errorStaysBelowItsBound_data();
  void errorStaysBelowItsBound();
  void contractHoldsOnRandomProblems();
  void runsOfClosePointsAreShort();
  void theLimitFollowsFromTheAccuracy();
  void tunedPlansKeepTheContract();
};

void TestCrowdedPoints::errorStaysBelowItsBound_data() {
  QTest::addColumn<int>("pattern");
  QTest::addColumn<int>("count");
  QTest::addColumn<int>("dims");
  QTest::addColumn<int>("pixels");
  QTest::newRow("clusters") << int(Pattern::clustered) << 200'000 << 2 << 512;
  QTest::newRow("a million in one place") << int(Pattern::onePlace) << 1'000'000 << 2 << 64;
  QTest::newRow("a million in one place, 1-D") << int(Pattern::onePlace) << 1'000'000 << 1 << 1024;
  QTest::newRow("a corner") << int(Pattern::cornerBox) << 100'000 << 2 << 256;
  QTest::newRow("radial centre") << int(Pattern::radial) << 300'000 << 3 << 32;
  QTest::newRow("spirals") << int(Pattern::spiral) << 200'000 << 2 << 256;
  QTest::newRow("uniform and dense") << int(Pattern::uniform) << 100'000 << 3 << 24;
}

void TestCrowdedPoints::errorStaysBelowItsBound() {
  QFETCH(int, pattern);
  QFETCH(int, count);
  QFETCH(int, dims);
  QFETCH(int, pixels);
  std::mt19937 random(15);
  const ContractCase drawn = caseOf(Pattern(pattern), count, dims, pixels, 1e-5, random);
  constexpr double ordinary = 1e-3;
  for (const auto& [alpha, accuracy] :
       {std::pair{1.25, dims == 3 ? 2e-4 : 5e-5}, {2.0, drawn.options.accuracy}, {2.0, ordinary}})
    for (const bool equal : {false, true}) {
      if (accuracy == ordinary && !equal) continue;  // far below: the random problems show it
      ContractCase c = drawn;
      c.options.alpha = alpha;
      c.options.accuracy = accuracy;
      c.draws = 1;
      c.options.threads = equal ? 1 : 2;
      if (equal) c.data = equalData;
      const ContractResult r = runLargeContract(c, random);
      // Equal terms may take a share of an ordinary accuracy that the bound does not count.
      const double most = equal && accuracy == ordinary ? accuracy : r.predicted;
      QVERIFY2(r.error <= most && r.predicted <= accuracy, qPrintable(resultText(c, r)));
    }
}

void TestCrowdedPoints::contractHoldsOnRandomProblems() {
  std::mt19937 random(campaignSeed(150));
  const int wanted = problems * campaignFactor();
  const int mostPoints = campaignFactor() > 1 ? 6 : 5;  // a power of ten
  std::map<int, double> closest;
  int run = 0, refused = 0;
  while (run < wanted) {
    const int dims = between(random, 1, 3);
    const auto pattern = Pattern(between(random, 0, int(Pattern::uniform)));
    const auto count = std::int64_t(std::pow(10.0, uniform(random, 2, mostPoints)));
    const double largest = dims == 1 ? 10 : dims == 2 ? (campaignFactor() > 1 ? 9.5 : 8) : 5.3;
    const auto pixels = std::int64_t(std::exp2(uniform(random, 3, largest)));
    ContractCase c = caseOf(pattern, count, dims, pixels, std::pow(10.0, -uniform(random, 2, 5)), random);
    c.options.alpha = between(random, 0, 3) == 0 ? 0 : uniform(random, 1.1, 2.0);
    c.options.kernel = KernelType(between(random, 0, 3));
    c.options.precomputation = Precomputation(between(random, 0, 4));
    const bool sparse = between(random, 0, 4) == 0 && count * std::pow(8, dims) < 1e8;
    c.options.spread = sparse ? Method::sparse : Method::blocked;
    c.options.threads = between(random, 1, 2);
    c.options.scheduler.kind = Scheduler(between(random, 0, 2));
    c.options.scheduler.off = unsigned(between(random, 0, allSchedulerParts));
    c.options.scheduler.partitions = between(random, 0, 9);
    // Forward, points in one place are one output, whose error scatters far more than the
    // contract's.
    c.adjoint = between(random, 0, 4) > 0 || pattern == Pattern::onePlace;
    // Along readouts, equal samples would alias in step: the contract is not about such data.
    const bool readouts = pattern == Pattern::radial || pattern == Pattern::spiral;
    switch (between(random, 0, 3)) {
      case 0:
        if (!readouts) c.data = equalData;
        break;
      case 1:
        if (!readouts) c.data = positiveData;
        break;
      default:;
    }
    c.draws = drawsFor(c, c.draws);
    try {
      const ContractResult r = runLargeContract(c, random);
      QVERIFY2(r.error <= c.options.accuracy,
               qPrintable(QString("pattern %1, ").arg(int(pattern)) + resultText(c, r)));
      closest[int(pattern)] = std::max(closest[int(pattern)], r.error / c.options.accuracy);
      ++run;
    } catch (const Error&) {
      ++refused;
    }
  }
  for (const auto& [pattern, ratio] : closest)
    qInfo("pattern %d: at most %.2f of the error asked for", pattern, ratio);
  qInfo("%d problems, %d requests refused", run, refused);
  countCases("crowded problems", run);
  QVERIFY(refused < wanted);
}

void TestCrowdedPoints::runsOfClosePointsAreShort() {
  constexpr int kernelCells = 7;
  constexpr std::size_t chunks = 16;
  std::vector<CellBox> same(chunks), spread(chunks), apart(chunks);
  for (std::uint32_t i = 0; i < chunks; ++i) {
    same[i].add(CellPosition{5, 5, 5});
    spread[i].add(CellPosition{0, 0, 0});
    spread[i].add(CellPosition{15, 3, 3});
    apart[i].add(CellPosition{i % 2 * 200, 0, 0});
  }
  CellBox run;
  QCOMPARE(endOfRun(same.data(), 0, chunks, 3, kernelCells, run), std::size_t(1));
  const std::size_t end = endOfRun(spread.data(), 0, chunks, 3, kernelCells, run);
  QVERIFY(end > 2 && end <= 8);
  QCOMPARE(run.last.x, 15U);
  QCOMPARE(endOfRun(apart.data(), 0, chunks, 3, kernelCells, run), std::size_t(1));
}

void TestCrowdedPoints::theLimitFollowsFromTheAccuracy() {
  std::mt19937 random(16);
  const NufftProblem problem = problemOf(3, {32, 32, 32}, Precision::single);
  const std::vector<double> points = uniformPoints(random, 600'000, 3);
  std::int64_t last = 0;
  for (const double accuracy : {1e-5, 1e-4, 1e-3, 1e-2}) {
    NufftOptions options;
    options.accuracy = accuracy;
    const CpuPlanDesign<float> design(problem, options);
    const PredictedError& error = design.error;
    QVERIFY(error.crowdLimit >= std::max(last, minCrowdLimit));
    QVERIFY(last == 0 || error.rounding < 0.1 * accuracy);
    SortedPoints<float> sorted;
    binSort<float>(points, design.layout, design.options.width, 1, sorted);
    QCOMPARE(crowdedTiles(sorted, design.layout, error.crowdLimit, 1).empty(), accuracy >= 1e-4);
    last = error.crowdLimit;
  }
}

void TestCrowdedPoints::tunedPlansKeepTheContract() {
  std::mt19937 random(campaignSeed(151));
  for (int i = 0; i < 2 * campaignFactor(); ++i)
    for (const TuneEffort effort : {TuneEffort::measure, TuneEffort::exhaustive}) {
      const auto pattern = Pattern(between(random, 0, int(Pattern::uniform)));
      const double accuracy = std::pow(10.0, -uniform(random, 2.5, 5));
      ContractCase c =
          caseOf(pattern, between(random, 1000, 20'000), 2, between(random, 24, 64), accuracy, random);
      TuneFixture fixture;
      fixture.request.problem = c.problem;
      fixture.request.points = c.points;
      fixture.request.options = c.options;
      fixture.request.effort = effort;
      fixture.request.workload.direction = Direction::adjoint;
      fixture.request.trials = 1;
      fixture.request.timeLimit = 0.2;
      const TuneResult tuned = fixture.run();
      c.options = tuned.candidates[std::size_t(tuned.best)].options;
      const ContractResult r = runLargeContract(c, random);
      QVERIFY2(r.error <= accuracy, qPrintable(resultText(c, r)));
    }
  countCases("plans of the tuner", 4 * campaignFactor());
}

SPOKELAB_TEST(TestCrowdedPoints)

}  // namespace test_crowded_points

#include "test_crowded_points.moc"
