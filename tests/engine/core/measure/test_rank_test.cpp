// The test that says "no difference": its probabilities follow the exact distribution, it is wrong
// as seldom as it promises, finds differences that exist, and does not depend on the shape of the
// times.
#include <QtTest>

#include <limits>

#include <cmath>
#include <random>

#include "engine/core/measure/rank_test.h"
#include "tests/test_main.h"

namespace test_rank_test {

using namespace spokelab;

namespace {

constexpr double confidence = 0.95;

// All arrangements of n and m values: the share whose U is as far from its mean as u, counted one
// by one.
double counted(int n, int m, double u) {
  const int all = n + m;
  double far = 0, total = 0;
  for (unsigned set = 0; set < 1u << all; ++set) {
    if (__builtin_popcount(set) != n) continue;
    double rank = 0;
    for (int i = 0; i < all; ++i)
      if (set >> i & 1u)
        for (int j = i + 1; j < all; ++j) rank += (set >> j & 1u) == 0;
    ++total;
    far += std::abs(rank - n * m / 2.0) >= std::abs(u - n * m / 2.0) - 1e-9;
  }
  return far / total;
}

// Times as a busy machine gives them: a floor, and a long tail.
std::vector<double> times(std::mt19937& random, int count, double floor) {
  std::exponential_distribution<double> tail(20);
  std::vector<double> list;
  for (int i = 0; i < count; ++i) list.push_back(floor * (1 + tail(random)));
  return list;
}

}  // namespace

class TestRankTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void probabilitiesAreThoseOfAllArrangements() {
    for (const auto& [n, m] : {std::pair{3, 4}, {5, 5}, {2, 7}, {6, 4}})
      for (int u = 0; u <= n * m; ++u)
        QVERIFY2(std::abs(exactRankProbability(n, m, u) - counted(n, m, u)) < 1e-12,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(n).arg(m).arg(u)));
  }

  void
  publishedCriticalValueIsHit() {  // n = m = 10: U = 23 is significant at 5%, 24 is not (tables of the test)
    QVERIFY(exactRankProbability(10, 10, 23) < 0.05);
    QVERIFY(exactRankProbability(10, 10, 24) > 0.05);
  }

  void equalSeriesAreSeldomCalledDifferent() {
    std::mt19937 random(5);
    int wrong = 0, missed = 0;
    constexpr int trials = 2000;
    for (int i = 0; i < trials; ++i) {
      const RankTest t = compareRepeats(times(random, 12, 1), times(random, 12, 1), confidence);
      wrong += t.p < 0.05;
      missed += !(t.low <= 1 && 1 <= t.high);
    }
    QVERIFY2(wrong < 0.07 * trials && wrong > 0.02 * trials, qPrintable(QString::number(wrong)));
    QVERIFY2(missed < 0.07 * trials && missed > 0.02 * trials, qPrintable(QString::number(missed)));
  }

  void aDifferenceIsFoundAndItsIntervalHoldsTheRatio() {
    std::mt19937 random(6);
    int found = 0, held = 0;
    constexpr int trials = 500;
    for (int i = 0; i < trials; ++i) {
      const RankTest t = compareRepeats(times(random, 12, 1), times(random, 12, 1.2), confidence);
      found += t.p < 0.01 && t.ratio > 1.1;
      held += t.low <= 1.2 && 1.2 <= t.high;
    }
    QVERIFY2(found > 0.95 * trials, qPrintable(QString::number(found)));
    QVERIFY2(held > 0.92 * trials, qPrintable(QString::number(held)));
  }

  void oneWildRepeatChangesLittle() {
    const std::vector<double> before = {1.0, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07};
    std::vector<double> after = before;
    for (double& t : after) t *= 1.0001;
    after.back() = 100;
    const RankTest t = compareRepeats(before, after, confidence);
    QVERIFY(t.p > 0.3);
    QVERIFY(std::abs(t.ratio - 1) < 0.02);
  }

  void changingSidesInvertsTheRatio() {
    std::mt19937 random(7);
    const auto a = times(random, 9, 1), b = times(random, 14, 1.1);
    const RankTest there = compareRepeats(a, b, confidence), back = compareRepeats(b, a, confidence);
    QVERIFY(std::abs(there.p - back.p) < 1e-12);
    QVERIFY(std::abs(there.low * back.high - 1) < 1e-12);
    QVERIFY(std::abs(there.high * back.low - 1) < 1e-12);
  }

  void manyRepeatsAndTiesUseTheApproximationAndAgree() {
    std::vector<double> a, b;
    for (int i = 0; i < 60; ++i) {
      a.push_back(1 + i % 10 * 0.1);
      b.push_back(1 + i % 10 * 0.1);
    }
    RankTest t = compareRepeats(a, b, confidence);
    QVERIFY(t.p > 0.9);
    QVERIFY(t.low <= 1 && t.high >= 1 && t.low > 0.7 && t.high < 1.5);
    for (double& v : b) v += 0.4;
    t = compareRepeats(a, b, confidence);
    QVERIFY(t.p < 1e-4 && t.low > 1);
    const std::vector<double> same(12, 2.0);
    t = compareRepeats(same, same, confidence);
    QCOMPARE(t.p, 1.0);
    QCOMPARE(t.ratio, 1.0);
  }

  // A repeat that is not a number counts for nothing, and no loop waits for it to equal itself.
  void valuesThatAreNotNumbersAreLeftOut() {
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    const std::vector<double> before{1, 1.1, nan, 1.2, 1.05}, after{2, nan, 2.1, 2.2, inf};
    const RankTest test = compareRepeats(before, after, 0.95);
    const RankTest clean = compareRepeats(std::vector{1., 1.1, 1.2, 1.05}, std::vector{2., 2.1, 2.2}, 0.95);
    QCOMPARE(test.p, clean.p);
    QCOMPARE(test.ratio, clean.ratio);
    QCOMPARE(compareRepeats(std::vector{nan, nan}, after, 0.95).ratio, RankTest().ratio);
    QCOMPARE(medianOf({nan, 3, 1, 2, nan}), 2.0);
    const std::vector<double> corrected = holmCorrected(std::vector{0.01, nan, 0.5});
    QVERIFY(corrected[0] <= corrected[2] && corrected[2] <= corrected[1] && corrected[1] == 1);
  }

  void fewRepeatsSaySo() {
    const std::vector<double> a = {1, 1.1}, b = {3, 3.3};
    const RankTest t = compareRepeats(a, b, confidence);
    QVERIFY(t.p > 0.3);
    QCOMPARE(t.low, 0.0);
    QVERIFY(std::isinf(t.high));
    QCOMPARE(compareRepeats({}, a, confidence).p, 1.0);
  }

  void holmCorrects() {  // Holm (1979): p (m - rank), monotone
    const std::vector<double> p = {0.01, 0.04, 0.03, 0.005};
    const std::vector<double> c = holmCorrected(p);
    QVERIFY(std::abs(c[3] - 0.02) < 1e-12);
    QVERIFY(std::abs(c[0] - 0.03) < 1e-12);
    QVERIFY(std::abs(c[2] - 0.06) < 1e-12);
    QVERIFY(std::abs(c[1] - 0.06) < 1e-12);
  }
};

SPOKELAB_CORE_TEST(TestRankTest)

}  // namespace test_rank_test

#include "test_rank_test.moc"
