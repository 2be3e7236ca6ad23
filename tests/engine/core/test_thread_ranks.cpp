// Ranks that are threads: data arrives whole and in order, sums are rank 0's, nobody passes a
// barrier early, and neither a failure nor a cancel leaves a rank waiting.
#include <QtTest>

#include <atomic>
#include <numeric>
#include <thread>

#include "engine/core/error.h"
#include "engine/core/jobs/thread_ranks.h"
#include "tests/test_main.h"

namespace test_thread_ranks {

using namespace spokelab;

namespace {

std::vector<std::string> names(int count) {
  std::vector<std::string> all;
  for (int r = 0; r < count; ++r) all.push_back("part " + std::to_string(r));
  return all;
}

}  // namespace

class TestThreadRanks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void dataArrivesWholeAndInOrder() {
    std::vector<std::vector<int>> received;
    runOnThreadRanks(names(3),
                     [&](Ranks& ranks, const Progress& progress) {
                       QCOMPARE(ranks.host(), "part " + std::to_string(ranks.rank()));
                       std::vector<int> values(1000);
                       if (!ranks.isFirst()) {
                         for (int i = 0; i < 5; ++i) {
                           std::iota(values.begin(), values.end(), 100 * ranks.rank() + i);
                           ranks.send(values.data(), values.size() * sizeof(int), 0, progress);
                           ranks.send(nullptr, 0, 0, progress);  // an empty one counts as well
                         }
                         return;
                       }
                       for (int i = 0; i < 5; ++i)
                         for (const int from : {2, 1}) {
                           ranks.receive(values.data(), values.size() * sizeof(int), from, progress);
                           ranks.receive(nullptr, 0, from, progress);
                           received.push_back(values);
                         }
                     },
                     {});
    QCOMPARE(received.size(), std::size_t(10));
    for (std::size_t k = 0; k < received.size(); ++k) {
      const int first = (k % 2 == 0 ? 200 : 100) + int(k / 2);
      QCOMPARE(received[k].front(), first);
      QCOMPARE(received[k].back(), first + 999);
    }
  }

  void sumsAndBroadcasts() {
    std::vector<double> sums(4);
    std::vector<float> told(4);
    runOnThreadRanks(names(4),
                     [&](Ranks& ranks, const Progress& progress) {
                       const auto r = std::size_t(ranks.rank());
                       std::vector<double> values = {1.0 + ranks.rank(), 0.5};
                       ranks.sum(values.data(), values.size(), progress);
                       sums[r] = values[0];
                       float word = ranks.isFirst() ? 7 : 0;
                       ranks.broadcast(&word, sizeof word, progress);
                       told[r] = word;
                     },
                     {});
    QCOMPARE(sums, (std::vector<double>{10, 2, 3, 4}));
    QCOMPARE(told, (std::vector<float>{7, 7, 7, 7}));
  }

  void nobodyPassesABarrierEarly() {
    constexpr int rounds = 200;
    std::atomic<int> arrived = 0;
    std::atomic<bool> early = false;
    runOnThreadRanks(names(3),
                     [&](Ranks& ranks, const Progress& progress) {
                       for (int i = 1; i <= rounds; ++i) {
                         ++arrived;
                         ranks.barrier(progress);
                         if (arrived < 3 * i) early = true;
                         ranks.barrier(progress);
                       }
                     },
                     {});
    QVERIFY(!early);
    QCOMPARE(arrived.load(), 3 * rounds);
  }

  // Each waits for rank 1 in its own way.
  void aFailureEndsAllThatWait() {
    for (const bool isError : {true, false}) try {
        runOnThreadRanks(names(4),
                         [&](Ranks& ranks, const Progress& progress) {
                           char word = 0;
                           if (ranks.rank() == 1) {
                             if (isError) throw Error("It failed", "no reason", "Look");
                             throw std::runtime_error("another exception");
                           }
                           if (ranks.rank() == 0) ranks.receive(&word, 1, 1, progress);
                           if (ranks.rank() == 2) ranks.send(&word, 1, 1, progress);
                           if (ranks.rank() == 3) ranks.barrier(progress);
                         },
                         {});
        QFAIL("no exception");
      } catch (const Error& error) {
        QVERIFY(isError);
        QCOMPARE(error.reason(), std::string("part 1: no reason"));
      } catch (const std::runtime_error& error) {
        QVERIFY(!isError);
        QCOMPARE(error.what(), "another exception");
      }
  }

  void aCancelEndsAll() {
    std::stop_source stop;
    std::jthread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      stop.request_stop();
    });
    QVERIFY_THROWS_EXCEPTION(Cancelled, runOnThreadRanks(
                                            names(2),
                                            [](Ranks& ranks, const Progress& progress) {
                                              if (ranks.rank() == 1) ranks.barrier(progress);
                                              char word = 0;
                                              ranks.receive(&word, 1, 1, progress);
                                            },
                                            Progress(stop.get_token())));
  }

  void sizesThatDifferAreAnError() {
    QVERIFY_THROWS_EXCEPTION(Error, runOnThreadRanks(names(2),
                                                     [](Ranks& ranks, const Progress& progress) {
                                                       double value = 0;
                                                       if (ranks.isFirst())
                                                         ranks.receive(&value, sizeof value, 1, progress);
                                                       else
                                                         ranks.send(&value, 1, 0, progress);
                                                     },
                                                     {}));
  }

  // Rank 0 reports for all.
  void progressIsThatOfTheFirst() {
    std::vector<std::string> seen;
    runOnThreadRanks(
        names(3), [](Ranks& ranks, const Progress& progress) { progress.report(0.5, ranks.host()); },
        Progress({}, [&](double, const std::string& what) { seen.push_back(what); }));
    QCOMPARE(seen, std::vector<std::string>{"part 0"});
  }
};

SPOKELAB_TEST(TestThreadRanks)

}  // namespace test_thread_ranks

#include "test_thread_ranks.moc"
