// Parts of an array that ranks find out reach all of them, whatever their sizes; sums and largest
// values are the same on all.
#include <QtTest>

#include <mutex>
#include <numeric>

#include "engine/core/jobs/rank_values.h"
#include "engine/core/jobs/thread_ranks.h"
#include "tests/test_main.h"

namespace test_rank_values {

using namespace spokelab;

class TestRankValues : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyRankGetsAllParts_data() {
    QTest::addColumn<QList<int>>("sizes");
    QTest::newRow("one rank") << QList<int>{7};
    QTest::newRow("two, unequal") << QList<int>{3, 40};
    QTest::newRow("three, one has nothing") << QList<int>{5, 0, 9};
    QTest::newRow("five") << QList<int>{1, 2, 3, 4, 5000};
  }
  void everyRankGetsAllParts() {
    QFETCH(const QList<int>, sizes);
    std::vector<RankPart> parts;
    std::size_t count = 0;
    for (const int size : sizes) {
      parts.push_back({count * sizeof(int), std::size_t(size) * sizeof(int)});
      count += std::size_t(size);
    }
    std::vector<int> wanted(count);
    std::iota(wanted.begin(), wanted.end(), 100);
    std::vector<std::vector<int>> found(std::size_t(sizes.size()));
    runOnThreadRanks(std::vector<std::string>(std::size_t(sizes.size()), "rank"),
                     [&](Ranks& ranks, const Progress& progress) {
                       const auto own = std::size_t(ranks.rank());
                       std::vector<int> values(count, -1);
                       const std::size_t first = parts[own].first / sizeof(int);
                       std::copy_n(wanted.begin() + std::ptrdiff_t(first), sizes[int(own)],
                                   values.begin() + std::ptrdiff_t(first));
                       shareParts(ranks, values.data(), parts, progress);
                       found[own] = values;
                     },
                     {});
    for (const std::vector<int>& values : found) QCOMPARE(values, wanted);
  }

  void numbersOfAllRanks() {
    std::mutex mutex;
    std::vector<double> sums, most;
    std::vector<EvenPart> parts(3);
    runOnThreadRanks({"a", "b", "c"},
                     [&](Ranks& ranks, const Progress& progress) {
                       const double value = std::vector{2.0, 7.5, 0.0}[std::size_t(ranks.rank())];
                       const double sum = sumOfRanks(ranks, value, progress),
                                    largest = largestOfRanks(ranks, value, progress);
                       const std::lock_guard lock(mutex);
                       sums.push_back(sum);
                       most.push_back(largest);
                       parts[std::size_t(ranks.rank())] = evenPart(ranks.rank(), ranks.size(), 10);
                     },
                     {});
    QCOMPARE(sums, std::vector<double>(3, 9.5));
    QCOMPARE(most, std::vector<double>(3, 7.5));
    QCOMPARE(parts[0].begin, 0);
    QCOMPARE(parts[2].end, 10);
    for (const std::size_t r : {0, 1}) QCOMPARE(parts[r].end, parts[r + 1].begin);
  }
};

SPOKELAB_TEST(TestRankValues)

}  // namespace test_rank_values

#include "test_rank_values.moc"
