// Jobs: one at a time, the latest wins, a cancel is answered at once and late results are dropped.
#include <QSignalSpy>
#include <QtTest>

#include <atomic>

#include "app/gui/session/job_queue.h"
#include "tests/test_main.h"
#include "tests/thread_time.h"

namespace test_job_queue {

using namespace spokelab;
using namespace std::chrono_literals;

namespace {

constexpr int patience = 5000;  // ms
constexpr JobKind selectJob{.name = "select", .urgent = true}, saveJob{.name = "save"};

JobQueue::Work listening(std::atomic<int>& running, std::function<void()> delivery = {}) {
  return [&running, delivery](const JobContext& context) -> JobQueue::Delivery {
    ++running;
    while (true) {
      std::this_thread::sleep_for(2ms);
      context.progress.report(0.5, "working");
    }
    return delivery;
  };
}

}  // namespace

class TestJobQueue : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aResultIsDeliveredOnceOnTheOwnersThread() {
    JobQueue queue;
    int delivered = 0;
    QThread* deliveredOn = nullptr;
    queue.submit(JobKind::open, QStringLiteral("job"), [&](const JobContext&) -> JobQueue::Delivery {
      return [&] {
        ++delivered;
        deliveredOn = QThread::currentThread();
      };
    });
    QTRY_VERIFY_WITH_TIMEOUT(!queue.busy(), patience);
    QTest::qWait(150);
    QCOMPARE(delivered, 1);
    QCOMPARE(deliveredOn, QThread::currentThread());
  }

  void waitingForAPersonIsNoTimeOfTheJobs() {
    JobQueue queue;
    QSignalSpy spy(&queue, &JobQueue::jobChanged);
    queue.submit(JobKind::reconstruct, QStringLiteral("pauses"),
                 [&](const JobContext& context) -> JobQueue::Delivery {
                   std::this_thread::sleep_for(100ms);
                   context.waits(true);
                   std::this_thread::sleep_for(1000ms);
                   context.waits(false);
                   std::this_thread::sleep_for(100ms);
                   return {};
                 });
    QTRY_VERIFY_WITH_TIMEOUT(!queue.busy(), patience);
    for (const auto& told : spy) QVERIFY(told.front().value<JobState>().seconds < 0.8);
    QVERIFY(spy.back().front().value<JobState>().seconds >= 0.2);
  }

  void aCancelIsAcknowledgedWithin100MsEvenByADeafJob() {
    JobQueue queue;
    std::atomic<bool> running = false, finished = false;
    int delivered = 0;
    std::atomic<bool> go = false;
    const int id = queue.submit(JobKind::reconstruct, QStringLiteral("deaf"),
                                [&](const JobContext&) -> JobQueue::Delivery {
                                  running = true;
                                  while (!go) std::this_thread::sleep_for(2ms);
                                  finished = true;
                                  return [&] { ++delivered; };
                                });
    QTRY_VERIFY_WITH_TIMEOUT(running, patience);
    QSignalSpy spy(&queue, &JobQueue::jobChanged);
    const ThreadTime clock;
    queue.cancel(id);
    QVERIFY(spy.count() >= 1);
    QCOMPARE(spy.back().front().value<JobState>().status, JobStatus::cancelled);
    const double took = clock.ms();
    QVERIFY2(took <= 100, qPrintable(QString::number(took)));
    QVERIFY(!queue.busy());
    go = true;
    QTRY_VERIFY_WITH_TIMEOUT(finished, patience);
    QTest::qWait(200);
    QCOMPARE(delivered, 0);  // too late
  }

  void theLatestOfAKindWins() {
    JobQueue queue;
    std::atomic<int> running = 0;
    std::vector<int> delivered;
    queue.submit(selectJob, QStringLiteral("first"), listening(running));
    QTRY_VERIFY_WITH_TIMEOUT(running == 1, patience);
    for (int i = 2; i <= 4; ++i) {
      queue.submit(selectJob, QStringLiteral("later"),
                   [&delivered, i](const JobContext&) -> JobQueue::Delivery {
                     return [&delivered, i] { delivered.push_back(i); };
                   });
    }
    QTRY_VERIFY_WITH_TIMEOUT(!queue.busy(), patience);
    QCOMPARE(delivered, std::vector<int>{4});
  }

  void openingMakesTheOthersPointless() {
    JobQueue queue;
    std::atomic<int> running = 0;
    queue.submit(JobKind::sweep, QStringLiteral("sweep"), listening(running));
    QTRY_VERIFY_WITH_TIMEOUT(running == 1, patience);
    queue.submit(saveJob, QStringLiteral("save"), listening(running));
    bool opened = false;
    queue.submit(JobKind::open, QStringLiteral("open"),
                 [&](const JobContext&) -> JobQueue::Delivery { return [&] { opened = true; }; });
    QTRY_VERIFY_WITH_TIMEOUT(opened, patience);
    QVERIFY(!queue.busy());
    QCOMPARE(running.load(), 1);  // the job that waited never ran
  }

  void onlyWhatIsFoundToOpenAScanMakesTheOthersPointless_data() {
    QTest::addColumn<bool>("opens");
    QTest::addColumn<bool>("fails");
    QTest::addColumn<bool>("cancels");
    QTest::newRow("a scan") << true << false << true;
    QTest::newRow("an image") << false << false << false;
    QTest::newRow("damaged") << false << true << true;
  }
  void onlyWhatIsFoundToOpenAScanMakesTheOthersPointless() {
    QFETCH(bool, opens);
    QFETCH(bool, fails);
    QFETCH(bool, cancels);
    JobQueue queue;
    std::atomic<int> running = 0;
    std::atomic<bool> known = false;
    bool opened = false;
    queue.submit(saveJob, QStringLiteral("save"), listening(running));
    QTRY_VERIFY_WITH_TIMEOUT(running == 1, patience);
    queue.submit(
        JobKind::open, QStringLiteral("open"),
        [&](const Progress&) {
          while (!known) std::this_thread::sleep_for(2ms);
          if (fails) throw Error("Cannot look", "it is damaged", "");
          return opens;
        },
        [&](const JobContext&) -> JobQueue::Delivery { return [&] { opened = true; }; });
    QTest::qWait(50);
    QVERIFY(queue.busy(saveJob) && queue.busy(JobKind::open));  // not decided yet
    known = true;
    if (cancels) {
      QTRY_VERIFY_WITH_TIMEOUT(opened, patience);
      QVERIFY(!queue.busy());
      return;
    }
    QTest::qWait(50);
    QVERIFY(queue.busy(saveJob) && queue.busy(JobKind::open) && !opened);  // it waits
    queue.cancelAll(saveJob);
    QTRY_VERIFY_WITH_TIMEOUT(opened, patience);
  }

  void whatIsCancelledWhileItIsDecidedNeverRuns() {
    JobQueue queue;
    std::atomic<int> running = 0, runs = 0;
    std::atomic<bool> known = false, answered = false;
    queue.submit(saveJob, QStringLiteral("save"), listening(running));
    const int id = queue.submit(
        JobKind::open, QStringLiteral("open"),
        [&](const Progress&) {
          while (!known) std::this_thread::sleep_for(2ms);
          answered = true;
          return true;
        },
        [&](const JobContext&) -> JobQueue::Delivery {
          ++runs;
          return {};
        });
    queue.cancel(id);
    known = true;
    QTRY_VERIFY_WITH_TIMEOUT(answered, patience);
    QTest::qWait(50);
    QVERIFY(queue.busy(saveJob));
    QCOMPARE(runs.load(), 0);
  }

  void whatTheUserWaitsForRunsBetweenTwoCandidatesOfASweep() {
    JobQueue queue;
    std::atomic<int> candidates = 0;
    queue.submit(JobKind::sweep, QStringLiteral("sweep"),
                 [&](const JobContext& context) -> JobQueue::Delivery {
                   while (true) {
                     std::this_thread::sleep_for(5ms);
                     context.progress.checkpoint();
                     Candidate candidate;
                     context.seen(candidate);
                     ++candidates;
                   }
                 });
    QTRY_VERIFY_WITH_TIMEOUT(candidates > 1, patience);
    int during = 0;
    queue.submit(selectJob, QStringLiteral("select"), [&](const JobContext&) -> JobQueue::Delivery {
      const int before = candidates;
      std::this_thread::sleep_for(50ms);
      during = candidates - before;  // nothing may disturb, or be disturbed
      return {};
    });
    QTRY_VERIFY_WITH_TIMEOUT(!queue.busy(selectJob), patience);
    QVERIFY(queue.busy(JobKind::sweep));
    QCOMPARE(during, 0);
    const int after = candidates;
    QTRY_VERIFY_WITH_TIMEOUT(candidates > after, patience);
    queue.cancelAll();
  }

  void candidatesComeInBatchesAndAllOfThem() {
    JobQueue queue;
    constexpr int count = 500;
    QSignalSpy spy(&queue, &JobQueue::jobChanged);
    int seen = 0, batches = 0;
    connect(&queue, &JobQueue::candidatesSeen, this, [&](int, const std::vector<Candidate>& candidates) {
      seen += int(candidates.size());
      ++batches;
    });
    queue.submit(JobKind::sweep, QStringLiteral("sweep"),
                 [](const JobContext& context) -> JobQueue::Delivery {
                   for (int i = 0; i < count; ++i) context.seen(Candidate{});
                   return {};
                 });
    QTRY_VERIFY_WITH_TIMEOUT(!queue.busy(), patience);
    QCOMPARE(seen, count);
    QVERIFY(batches < count / 10);
  }

  void failuresAreToldOnceAndTheQueueGoesOn() {
    JobQueue queue;
    std::vector<Failure> failures;
    connect(&queue, &JobQueue::failed, this,
            [&](const JobState&, const Failure& failure) { failures.push_back(failure); });
    queue.submit(JobKind::open, QStringLiteral("bad"), [](const JobContext&) -> JobQueue::Delivery {
      throw Error("Cannot read a.h5", "it is empty", "Copy it again");
    });
    queue.submit(saveJob, QStringLiteral("worse"),
                 [](const JobContext&) -> JobQueue::Delivery { throw std::bad_alloc(); });
    bool delivered = false;
    queue.submit(selectJob, QStringLiteral("good"),
                 [&](const JobContext&) -> JobQueue::Delivery { return [&] { delivered = true; }; });
    QTRY_VERIFY_WITH_TIMEOUT(!queue.busy(), patience);
    QVERIFY(delivered);
    QCOMPARE(failures.size(), std::size_t(2));
    QCOMPARE(failures[0].summary, QStringLiteral("Cannot read a.h5"));
    QCOMPARE(failures[0].reason, QStringLiteral("it is empty"));
    QCOMPARE(failures[0].remedy, QStringLiteral("Copy it again"));
    QVERIFY(failures[1].summary.contains(QStringLiteral("memory")));
  }

  void destructionStopsWhatRuns() {
    std::atomic<int> running = 0;
    {
      JobQueue queue;
      queue.submit(JobKind::sweep, QStringLiteral("sweep"), listening(running));
      QTRY_VERIFY_WITH_TIMEOUT(running == 1, patience);
    }
    QCOMPARE(running.load(), 1);
  }
};

SPOKELAB_CORE_TEST(TestJobQueue)

}  // namespace test_job_queue

#include "test_job_queue.moc"
