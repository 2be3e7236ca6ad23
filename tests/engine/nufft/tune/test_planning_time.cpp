// The tuner's limit holds all of its time, and its candidates are made without repeating work.
#include <QtTest>

#include <chrono>
#include <set>
#include <thread>

#include "engine/nufft/tune/candidates.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

using namespace spokelab;
using namespace spokelab::test;

namespace {

class SlowToRank : public CountingCpuBackend {
 public:
  std::vector<Method> spreadMethods(const NufftProblem& p, const NufftOptions& o) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    return CountingCpuBackend::spreadMethods(p, o);
  }
};

}  // namespace

class TestPlanningTime : public QObject {
  Q_OBJECT

 private slots:
  // 0.5 s in all, of which listing the methods takes 0.4: 0.2 s are left, for two plans of 0.15 s.
  void makingCandidatesIsPartOfTheTime() {
    TuneFixture f;
    SlowToRank backend;
    backend.onPlan = [] { std::this_thread::sleep_for(std::chrono::milliseconds(150)); };
    f.backends = {&backend};
    f.request.options.kernel = KernelType::kaiserBessel;
    f.request.maxSearchSeconds = 0.5;
    const TuneResult r = f.run();
    QVERIFY(r.best >= 0);
    QVERIFY2(backend.plans <= 2, qPrintable(QString::number(backend.plans)));
  }

  void methodsShareAPrediction() {
    TuneFixture f;
    f.request.effort = TuneEffort::exhaustive;
    std::set<Method> methods;
    for (const Candidate& c : enumerateCandidates(f.backends, f.request)) {
      TuneRequest fixed = f.request;
      fixed.options = c.options;
      const Candidate alone = makeCandidate(f.backend, fixed, c.options.alpha, c.options.width,
                                            c.options.spread, c.options.interpolate);
      QCOMPARE(c.predicted.bound, alone.predicted.bound);
      QCOMPARE(c.grid, alone.grid);
      QVERIFY(c.options == alone.options);
      QCOMPARE(c.predictedSeconds, alone.predictedSeconds);
      methods.insert(c.options.spread);
    }
    QCOMPARE(methods.size(), std::size_t(2));
  }
};

SPOKELAB_TEST(TestPlanningTime)
#include "test_planning_time.moc"
