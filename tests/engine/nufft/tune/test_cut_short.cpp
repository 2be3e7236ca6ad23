// An exhaustive search that its time limit ends says so, and does not pass for one that timed all.
#include <QtTest>

#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <thread>

#include "engine/nufft/tune/wisdom.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/engine/nufft/tune/wisdom_test.h"
#include "tests/test_main.h"

namespace test_cut_short {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// Each plan takes longer than the limit: a single one is timed.
struct CutShort : TuneFixture {
  CutShort() {
    request.effort = TuneEffort::exhaustive;
    request.trials = 1;
    request.timeLimit = 0.005;
    backend.onPlan = [] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); };
  }
};

}  // namespace

class TestCutShort : public QObject {
  Q_OBJECT

 private slots:
  void theReasonCountsWhatWasNotTimed() {
    CutShort f;
    const TuneResult r = f.run();
    const auto left = std::count_if(r.candidates.begin(), r.candidates.end(),
                                    [](const Candidate& c) { return !c.timed() && c.refused.empty(); });
    QVERIFY(r.cutShort && r.best >= 0 && left > 1);
    const QString begin = QString("Cut short by the time limit: %1 plans not timed. ").arg(left);
    QVERIFY2(QString::fromStdString(r.reason).startsWith(begin), r.reason.c_str());
  }

  void aWholeSearchIsNotCutShort() {
    TuneFixture f;
    f.request.effort = TuneEffort::exhaustive;
    f.request.trials = 1;
    f.request.options.alpha = 1.5;
    const TuneResult whole = f.run();
    QVERIFY(!whole.cutShort && whole.reason.find("Cut short") == std::string::npos);
    CutShort shorter;
    shorter.request.effort = TuneEffort::measure;  // whose limit is part of what it is
    QVERIFY(!shorter.run().cutShort);
  }

  void wisdomTakesItForAShorterSearch() {
    const QTemporaryDir folder;
    Wisdom wisdom(wisdomtest::fileIn(folder));
    CutShort f;
    QVERIFY(f.run(&wisdom).cutShort);
    QCOMPARE(wisdom.size(), std::size_t(1));
    TuneFixture whole;
    whole.request.effort = TuneEffort::exhaustive;
    whole.request.trials = 1;
    QVERIFY(!whole.run(&wisdom).fromWisdom);
    CutShort again;
    QVERIFY(again.run(&wisdom).fromWisdom);  // of the whole search
  }

  void wisdomKeepsAFasterPlan() {
    const QTemporaryDir folder;
    Wisdom wisdom(wisdomtest::fileIn(folder));
    TuneFixture shorter;
    const TuneResult found = shorter.run();
    Candidate fast = found.candidates[std::size_t(found.best)];
    fast.planSeconds = fast.setPointsSeconds = fast.transferSeconds = 0;
    fast.timings.total = 1e-9;
    const std::string key = Wisdom::key(shorter.backends, shorter.request);
    wisdom.remember(key, fast);
    CutShort f;
    QVERIFY(f.run(&wisdom).cutShort);
    QCOMPARE(wisdom.find(key)->timings.total, 1e-9);
  }
};

SPOKELAB_TEST(TestCutShort)

}  // namespace test_cut_short

#include "test_cut_short.moc"
