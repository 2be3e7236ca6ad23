// Only the latest work delivers, on the main thread, and nothing is delivered to an owner that is
// gone.
#include <atomic>
#include <semaphore>
#include <stdexcept>

#include <QTest>
#include <QThread>

#include "tests/patience.h"
#include "tests/test_main.h"
#include "widgets/core/latest_job.h"

namespace test_latest_job {

using namespace spokelab;

class TestLatestJob : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void workRunsBesideTheMainThreadAndDeliversOnIt() {
    LatestJob<bool> job;
    std::optional<bool> onMain;
    bool deliveredOnMain = false;
    QThread* const main = QThread::currentThread();
    job.start([main](std::stop_token) { return QThread::currentThread() == main; },
              [&](bool result) {
                onMain = result;
                deliveredOnMain = QThread::currentThread() == main;
              });
    QVERIFY(job.isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(onMain.has_value(), patience);
    QVERIFY(!*onMain && deliveredOnMain && !job.isRunning());
  }

  void aNewerStartStopsTheOlderWorkAndDiscardsItsResult() {
    LatestJob<int> job;
    std::binary_semaphore begun(0);
    std::atomic<bool> ended = false;
    std::vector<int> delivered;
    const auto deliver = [&](int result) { delivered.push_back(result); };
    job.start(
        [&](std::stop_token stop) {
          begun.release();
          while (!stop.stop_requested()) QThread::yieldCurrentThread();
          ended = true;
          return 1;
        },
        deliver);
    begun.acquire();
    job.start([](std::stop_token) { return 2; }, deliver);
    QTRY_COMPARE_WITH_TIMEOUT(delivered.size(), std::size_t(1), patience);
    QTRY_VERIFY_WITH_TIMEOUT(ended, patience);
    QVERIFY(QThreadPool::globalInstance()->waitForDone());
    QCoreApplication::processEvents();
    QCOMPARE(delivered, std::vector<int>{2});
  }

  void nothingIsDeliveredAfterTheEndOfTheOwner() {
    bool delivered = false;
    {
      LatestJob<int> job;
      job.start([](std::stop_token) { return 1; }, [&](int) { delivered = true; },
                [&](const QString&) { delivered = true; });
      QVERIFY(QThreadPool::globalInstance()->waitForDone());
    }
    QCoreApplication::processEvents();
    QVERIFY(!delivered);
  }

  void aDroppedJobDeliversNothingAndDoesNotRun() {
    LatestJob<int> job;
    bool delivered = false;
    job.start([](std::stop_token) { return 1; }, [&](int) { delivered = true; });
    job.drop();
    QVERIFY(!job.isRunning());
    QVERIFY(QThreadPool::globalInstance()->waitForDone());
    QCoreApplication::processEvents();
    QVERIFY(!delivered);
  }

  void anExceptionIsDeliveredAsItsText() {
    LatestJob<int> job;
    QString text;
    bool delivered = false;
    job.start([](std::stop_token) -> int { throw std::runtime_error("no such frame"); },
              [&](int) { delivered = true; }, [&](const QString& failure) { text = failure; });
    QTRY_COMPARE_WITH_TIMEOUT(text, QStringLiteral("no such frame"), patience);
    QVERIFY(!delivered && !job.isRunning());
  }

  void aDeliveryMayStartTheNextWorkOrEndTheOwner() {
    auto job = std::make_unique<LatestJob<int>>();
    int last = 0;
    LatestJob<int>::Deliver deliver = [&](int result) {
      last = result;
      if (result == 2)
        job.reset();
      else
        job->start([result](std::stop_token) { return result + 1; }, deliver);
    };
    job->start([](std::stop_token) { return 1; }, deliver);
    QTRY_COMPARE_WITH_TIMEOUT(last, 2, patience);
    QVERIFY(!job);
  }
};

SPOKELAB_CORE_TEST(TestLatestJob)

}  // namespace test_latest_job

#include "test_latest_job.moc"
