// Low rank and sparse parts: each map is what its definition says, on any threads and precisions.
#include <QtTest>
#include <numbers>

#include "engine/recon/functional/local_low_rank.h"
#include "engine/recon/functional/low_rank.h"
#include "engine/recon/functional/low_rank_sparse.h"
#include "tests/engine/recon/functional/proximal_checks.h"
#include "tests/test_main.h"

namespace test_low_rank_sparse {

using namespace spokelab;
using namespace spokelab::test;

class TestLowRankSparse : public QObject {
  Q_OBJECT

 private slots:
  // A whole image is one block; more pixels than are taken together.
  void singularValuesAreThoseOfOneBlock() {
    const std::int64_t frames = 4, side = 40;
    HostSpace<double> space(2);
    Buffer<cdouble> whole = randomValues(frames * side * side, 1), block = whole;
    const double threshold = 0.8 * side;
    const double told = shrinkSingularValues(threshold, frames, side * side, 2, whole.data());
    LocalLowRank<HostSpace<double>> one(space, {side, side, 1}, 2, frames, 1, side, BlockPlaces::fixed, 1);
    const double toldBlock = one.prox(threshold, block.data());
    QVERIFY(told > 0);
    QVERIFY(std::abs(told - toldBlock) < 1e-8 * told);
    QVERIFY(distance(whole, block) < 1e-8 * norm(block));
  }

  // The nuclear norm alone, times the root of the larger number.
  void lowRankIsThatOfSingularValues() {
    const std::int64_t frames = 4, pixels = 30;
    HostSpace<double> space(2);
    LowRank<HostSpace<double>> functional(space, frames, pixels, 2);
    Buffer<cdouble> x = randomValues(frames * pixels, 3), y = x;
    const double root = std::sqrt(double(pixels)), told = functional.prox(0.5, x.data());
    const double sum = shrinkSingularValues(0.5 * root, frames, pixels, 1, y.data());
    QVERIFY(sum > 0 && std::abs(told - root * sum) < 1e-10 * told);
    QVERIFY(distance(x, y) < 1e-12);
    verifyFirmlyNonExpansive(frames * pixels, 1e-9, [&](cdouble* values) { functional.prox(0.4, values); });
    const Buffer<cdouble> v = randomValues(frames * pixels, 5);
    x = v;
    functional.prox(0.4, x.data());
    verifyMinimum(x, 1e-7, [&](Buffer<cdouble> image) {
      const double d = distance(image, v);
      return d * d / 2 + 0.4 * functional.prox(1e-12, image.data());
    });
  }

  // A course of one frequency has one value in its spectrum, sqrt(frames) as large.
  void oneFrequencyFollowsTheFormula() {
    const std::int64_t frames = 6, pixels = 700;
    const double threshold = 0.5, length = std::sqrt(double(frames));
    Buffer<cfloat> values(std::size_t(frames * pixels));
    for (std::int64_t i = 0; i < frames * pixels; ++i)
      values[std::size_t(i)] =
          cfloat(std::polar(1.0, 2 * std::numbers::pi * double((i % 5) * (i / pixels)) / double(frames)));
    const Buffer<cfloat> before = values;
    const double told = shrinkFrequencies(threshold, frames, pixels, 2, values.data());
    QVERIFY(std::abs(told - double(pixels) * (length - threshold)) < 1e-3);
    for (std::size_t i = 0; i < values.size(); ++i)
      QVERIFY(std::abs(values[i] - before[i] * float(1 - threshold / length)) < 1e-5);
  }

  // Echo after echo: the courses of one do not continue in the next. A train of one frame has one
  // frequency, its value.
  void trainsHaveTheFrequenciesThatTheyHaveAlone() {
    constexpr std::int64_t pixels = 530;
    const std::vector<std::int64_t> lengths{3, 1, 4};
    const double threshold = 0.5;
    Buffer<cdouble> together = randomValues(8 * pixels, 6), alone = together, asOne = together;
    const double told = shrinkFrequencies(threshold, FrameTrains(lengths), pixels, 2, together.data());
    double sum = 0;
    std::int64_t first = 0;
    for (const std::int64_t length : lengths) {
      sum += shrinkFrequencies(threshold, length, pixels, 1, alone.data() + first * pixels);
      first += length;
    }
    QVERIFY(distance(together, alone) < 1e-12 * norm(alone));
    QVERIFY(std::abs(told - sum) < 1e-12 * sum);
    shrinkFrequencies(threshold, 8, pixels, 1, asOne.data());
    QVERIFY(distance(together, asOne) > 1e-2 * norm(asOne));
  }

  void theMapOfTrainsIsThatOfItsParts() {
    constexpr std::int64_t pixels = 20;
    const std::vector<std::int64_t> lengths{2, 3};
    const double weight = 0.3, threshold = 0.4, root = weight * std::sqrt(double(pixels));
    HostSpace<double> space(1);
    LowRankSparse<HostSpace<double>> functional(space, FrameTrains(lengths), pixels, weight, 1);
    QCOMPARE(functional.unknowns(), 2 * 5 * pixels);
    Buffer<cdouble> both = randomValues(2 * 5 * pixels, 7), parts = both;
    const double told = functional.prox(threshold, both.data());
    const double low = shrinkSingularValues(root * threshold, 5, pixels, 1, parts.data()),
                 sparse =
                     shrinkFrequencies(threshold, FrameTrains(lengths), pixels, 1, parts.data() + 5 * pixels);
    QVERIFY(distance(both, parts) < 1e-12 * norm(parts));
    QVERIFY(std::abs(told - root * low - sparse) < 1e-12 * told);
  }

  void theMapIsFirmlyNonExpansiveAndSmallestAtItsDefinition() {
    const std::int64_t frames = 3, pixels = 20;
    const double weight = 0.3, threshold = 0.4;
    HostSpace<double> space(2);
    LowRankSparse<HostSpace<double>> functional(space, frames, pixels, weight, 2);
    verifyFirmlyNonExpansive(2 * frames * pixels, 1e-9,
                             [&](cdouble* values) { functional.prox(threshold, values); });
    // With a threshold of nearly 0 a map tells the value of R.
    const auto value = [&](Buffer<cdouble> parts) { return functional.prox(1e-12, parts.data()); };
    const Buffer<cdouble> v = randomValues(2 * frames * pixels, 5);
    Buffer<cdouble> x = v;
    const double told = functional.prox(threshold, x.data());
    QVERIFY(std::abs(told - value(x)) < 1e-6 * told);
    verifyMinimum(x, 1e-9, [&](const Buffer<cdouble>& parts) {
      const double d = distance(parts, v);
      return d * d / 2 + threshold * value(parts);
    });
  }
};

SPOKELAB_TEST(TestLowRankSparse)

}  // namespace test_low_rank_sparse

#include "test_low_rank_sparse.moc"
