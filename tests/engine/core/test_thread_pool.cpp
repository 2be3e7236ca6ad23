#include <QtTest>

#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "tests/test_main.h"

namespace test_thread_pool {

using namespace spokelab;

class ThreadPoolTest : public QObject {
  Q_OBJECT

 private slots:
  void everyIndexIsVisitedOnce_data();
  void everyIndexIsVisitedOnce();
  void oneThreadWorksInTheCallerInOrder();
  void noMoreThreadsThanAskedFor();
  void resultsAreVisibleToTheCaller();
  void errorsReachTheCaller();
  void cancellationReachesTheCaller();
  void nestedCallsEnd();
  void callersOnSeveralThreadsDoNotDisturbEachOther();
  void aLaneHasWorkersOfItsOwn();
  void workIsCountedWithoutWaiting();
  void nestedCallsCountOnce();
};

void ThreadPoolTest::everyIndexIsVisitedOnce_data() {
  QTest::addColumn<qlonglong>("n");
  QTest::addColumn<int>("threads");
  QTest::addColumn<qlonglong>("grain");
  for (int threads : {0, 1, 2, 3, 8}) {
    for (qlonglong n : {0, 1, 7, 1000}) {
      for (qlonglong grain : {0, 1, 3, 5000}) {
        QTest::addRow("n %lld, threads %d, grain %lld", n, threads, grain) << n << threads << grain;
      }
    }
  }
}

void ThreadPoolTest::everyIndexIsVisitedOnce() {
  QFETCH(qlonglong, n);
  QFETCH(int, threads);
  QFETCH(qlonglong, grain);
  std::vector<std::atomic<int>> visits(static_cast<std::size_t>(n));
  parallelFor(n, threads, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
  });
  parallelTasks(n, threads, [&](std::int64_t task) { ++visits[static_cast<std::size_t>(task)]; });
  for (const std::atomic<int>& count : visits) QCOMPARE(count.load(), 2);
}

void ThreadPoolTest::oneThreadWorksInTheCallerInOrder() {
  std::vector<std::int64_t> order;
  parallelFor(100, 1, 7, [&](std::int64_t begin, std::int64_t end) {
    QCOMPARE(QThread::currentThread(), thread());
    for (std::int64_t i = begin; i < end; ++i) order.push_back(i);
  });
  std::vector<std::int64_t> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  QCOMPARE(order, expected);
}

void ThreadPoolTest::noMoreThreadsThanAskedFor() {
  std::atomic<int> running{0}, most{0};
  parallelTasks(64, 2, [&](std::int64_t) {
    const int here = ++running;
    int seen = most.load();
    while (here > seen && !most.compare_exchange_weak(seen, here)) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --running;
  });
  QVERIFY(most.load() <= 2);
}

void ThreadPoolTest::resultsAreVisibleToTheCaller() {
  std::vector<std::int64_t> values(10000);
  for (int repeat = 1; repeat <= 20; ++repeat) {
    parallelFor(10000, 4, 100, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) values[static_cast<std::size_t>(i)] += i;
    });
    for (std::int64_t i = 0; i < 10000; ++i) QCOMPARE(values[static_cast<std::size_t>(i)], i * repeat);
  }
}

void ThreadPoolTest::errorsReachTheCaller() {
  for (int threads : {1, 2, 4}) {
    bool caught = false;
    try {
      parallelTasks(100, threads, [](std::int64_t task) {
        if (task == 42) throw Error("what", "why", "what to do");
      });
    } catch (const Error& error) {
      caught = true;
      QCOMPARE(error.reason(), std::string("why"));
    }
    QVERIFY(caught);
  }
}

void ThreadPoolTest::cancellationReachesTheCaller() {
  for (int threads : {1, 2}) {
    std::atomic<int> done{0};
    bool caught = false;
    try {
      parallelTasks(1'000'000, threads, [&](std::int64_t) {
        if (++done == 10) throw Cancelled{};
      });
    } catch (const Cancelled&) {
      caught = true;
    }
    QVERIFY(caught);
    QVERIFY(done.load() < 1'000'000);  // the rest is dropped
  }
}

void ThreadPoolTest::nestedCallsEnd() {
  std::atomic<int> count{0};
  parallelTasks(4, 2, [&](std::int64_t) {
    parallelTasks(4, 2, [&](std::int64_t) { ++count; });
    parallelTasks(4, 0, [&](std::int64_t) { ++count; });
  });
  QCOMPARE(count.load(), 32);
}

void ThreadPoolTest::callersOnSeveralThreadsDoNotDisturbEachOther() {
  std::vector<std::int64_t> sums(4);
  std::vector<std::thread> callers;
  for (std::size_t caller = 0; caller < sums.size(); ++caller) {
    callers.emplace_back([&, caller] {
      for (int repeat = 0; repeat < 50; ++repeat) {
        std::atomic<std::int64_t> sum{0};
        parallelFor(1000, 2, 10, [&](std::int64_t begin, std::int64_t end) { sum += end - begin; });
        sums[caller] += sum;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (std::int64_t sum : sums) QCOMPARE(sum, std::int64_t{50000});
}

// Two tasks that sleep at once, half of the time as one that waits.
// A call that holds all of its workers does not hold up one of another lane.
void ThreadPoolTest::aLaneHasWorkersOfItsOwn() {
  constexpr auto patience = std::chrono::seconds(20);
  std::atomic<bool> other = false, gaveUp = false;
  std::atomic<int> holding = 0;
  const std::jthread holder([&] {
    const PoolLane lane(1);
    parallelTasks(2, 2, [&](std::int64_t) {
      ++holding;
      const auto start = std::chrono::steady_clock::now();
      while (!other && !gaveUp) {
        if (std::chrono::steady_clock::now() - start > patience) gaveUp = true;
        std::this_thread::yield();
      }
    });
  });
  while (holding == 0) std::this_thread::yield();
  parallelTasks(2, 2, [](std::int64_t) {});
  other = true;
  QVERIFY(!gaveUp);
}

void ThreadPoolTest::workIsCountedWithoutWaiting() {
  using namespace std::chrono_literals;
  const PoolWork before = poolWork();
  parallelTasks(2, 2, [](std::int64_t) {
    std::this_thread::sleep_for(20ms);
    const PoolWait wait;
    std::this_thread::sleep_for(20ms);
  });
  const PoolWork after = poolWork();
  const double seconds = after.seconds - before.seconds, worked = after.worked - before.worked;
  QVERIFY2(seconds >= 0.04, qPrintable(QString::number(seconds)));
  QVERIFY2(worked >= 0.04, qPrintable(QString::number(worked)));
  const double waited = 0.04;  // both together, at least
  QVERIFY2(worked <= 2 * seconds - waited, qPrintable(QString::number(worked)));
}

void ThreadPoolTest::nestedCallsCountOnce() {
  using namespace std::chrono_literals;
  const PoolWork before = poolWork();
  parallelTasks(1, 1, [](std::int64_t) {
    parallelTasks(2, 1, [](std::int64_t) { std::this_thread::sleep_for(10ms); });
  });
  const PoolWork after = poolWork();
  const double seconds = after.seconds - before.seconds, worked = after.worked - before.worked;
  QVERIFY2(seconds >= 0.02, qPrintable(QString::number(seconds)));
  QVERIFY2(worked > 0.9 * seconds && worked <= seconds, qPrintable(QString::number(worked / seconds)));
  PoolWork others;
  std::thread([&] { others = poolWork(); }).join();
  QCOMPARE(others.seconds, 0.0);  // each thread's own
}

SPOKELAB_TEST(ThreadPoolTest)

}  // namespace test_thread_pool

#include "test_thread_pool.moc"
