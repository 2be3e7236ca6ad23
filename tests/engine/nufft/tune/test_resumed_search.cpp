// A stopped exhaustive search continues where it stopped.
#include <QtTest>

#include <QTemporaryDir>
#include <chrono>
#include <fstream>
#include <thread>

#include "engine/nufft/tune/search/search_record.h"
#include "engine/nufft/tune/search/tune_estimate.h"
#include "engine/nufft/tune/wisdom.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/engine/nufft/tune/wisdom_test.h"
#include "tests/test_main.h"

namespace test_resumed_search {

using namespace spokelab;
using namespace spokelab::test;

namespace {

struct Exhaustive : TuneFixture {
  Exhaustive() {
    request.effort = TuneEffort::exhaustive;
    request.trials = 1;
    request.options.kernel = KernelType::kaiserBessel;
    request.options.spread = request.options.interpolate = Method::blocked;
  }
  // Stops after `count` plans of the candidates.
  TuneResult stoppedAfter(int count, Wisdom& wisdom) {
    std::stop_source stop;
    return run(&wisdom, Progress(stop.get_token()), [&](const Candidate&) {
      if (--count == 0) stop.request_stop();
    });
  }
};

}  // namespace

class TestResumedSearch : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  std::filesystem::path file() const { return wisdomtest::fileIn(*folder_); }
  std::filesystem::path record() const { return SearchRecord::fileBeside(file()); }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  // Plans are made once for each candidate over both searches; with one trial it has no finals.
  void whatWasTimedIsNotTimedAgain() {
    Exhaustive whole;
    const TuneResult once = whole.run();
    const int all = whole.backend.plans;
    QVERIFY(all > 6);
    QCOMPARE(once.timedEarlier, 0);

    Exhaustive first, second;
    constexpr int before = 4;
    {
      Wisdom wisdom(file());
      QVERIFY(first.stoppedAfter(before, wisdom).cancelled);
    }
    QCOMPARE(first.backend.plans, before);
    Wisdom wisdom(file());  // as another process reads it
    int seen = 0;
    const TuneResult r = second.run(&wisdom, {}, [&](const Candidate&) { ++seen; });
    QVERIFY(!r.fromWisdom && !r.cutShort && !r.cancelled);
    QCOMPARE(r.timedEarlier, before);
    QCOMPARE(second.backend.plans + before, int(r.candidates.size()));
    QCOMPARE(seen, int(r.candidates.size()));  // the charts show them, too
    QVERIFY2(r.reason.find("(4 by an earlier search that did not end)") != std::string::npos,
             r.reason.c_str());
  }

  // Each time a limit lets a few more be timed, until all are.
  void limitsAddUpToAWholeSearch() {
    Wisdom wisdom(file());
    int plans = 0, searches = 0;
    for (bool cut = true; cut; ++searches) {
      Exhaustive f;
      f.request.options.alpha = 1.5;  // few
      f.request.timeLimit = 0.05;
      f.backend.onPlan = [] { std::this_thread::sleep_for(std::chrono::milliseconds(15)); };
      const TuneResult r = f.run(&wisdom);
      cut = r.cutShort;
      QVERIFY(f.backend.plans > 0);
      QCOMPARE(r.timedEarlier, plans);
      plans += f.backend.plans;
      QVERIFY(searches < 100);
    }
    QVERIFY(searches > 1);
    Exhaustive again;
    again.request.options.alpha = 1.5;
    QVERIFY(again.run(&wisdom).fromWisdom);
  }

  void aSearchThatEndsLeavesNoRecord() {
    Wisdom wisdom(file());
    Exhaustive f, g;
    f.stoppedAfter(2, wisdom);
    QVERIFY(std::filesystem::exists(record()));
    const auto size = std::filesystem::file_size(record());
    g.run(&wisdom);
    QVERIFY(std::filesystem::file_size(record()) < size / 4);
    Exhaustive third;
    third.request.options.accuracy = 1e-4;
    third.stoppedAfter(2, wisdom);
    wisdom.forget();
    QVERIFY(!std::filesystem::exists(record()));
  }

  void otherRequestsTakeNothingOfIt() {
    Wisdom wisdom(file());
    Exhaustive f;
    f.stoppedAfter(3, wisdom);
    std::vector<std::function<void(Exhaustive&)>> changes = {
        [](Exhaustive& e) { e.points[0] += 1e-3; },  // of the same class
        [](Exhaustive& e) { e.request.trials = 2; },
        [](Exhaustive& e) { e.request.options.accuracy = 1e-4; },
        [](Exhaustive& e) { e.request.workload.executions = 3; },
        [](Exhaustive& e) { e.backend.fingerprint_ = "machine B"; },
        [](Exhaustive& e) { e.request.measureError = true; },  // which was not measured
    };
    for (const auto& change : changes) {
      Exhaustive other;
      change(other);
      const TuneEstimate estimate = estimateTuning(other.backends, other.request, &wisdom, {});
      QCOMPARE(estimate.earlier, 0);
    }
    Exhaustive same;
    QCOMPARE(estimateTuning(same.backends, same.request, &wisdom, {}).earlier, 3);
  }

  void aDamagedRecordCountsAsEmpty() {
    Wisdom wisdom(file());
    Exhaustive f, g;
    f.stoppedAfter(3, wisdom);
    std::ofstream(record())
        << R"({"format": "spokelab-searches", "version": 1, "searches": [7, {"key": 3}, )";
    QCOMPARE(estimateTuning(g.backends, g.request, &wisdom, {}).earlier, 0);
    QVERIFY(g.stoppedAfter(3, wisdom).cancelled);
    Exhaustive again;
    QCOMPARE(estimateTuning(again.backends, again.request, &wisdom, {}).earlier, 3);
  }
};

SPOKELAB_TEST(TestResumedSearch)

}  // namespace test_resumed_search

#include "test_resumed_search.moc"
