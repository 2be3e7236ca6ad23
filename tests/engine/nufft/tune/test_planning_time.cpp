// The tuner's limit holds all of its time, and its candidates are made without repeating work.
#include <QtTest>

#include <QRegularExpression>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/cost_model.h"
#include "engine/nufft/tune/search/tune_estimate.h"
#include "engine/nufft/tune/timing.h"
#include "tests/engine/nufft/forwarding_nufft.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_planning_time {

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

// A device whose first plan loads a library, unless it was warmed up.
class ColdDevice : public CountingCpuBackend {
 public:
  ColdDevice() {
    onPlan = [this] { load(); };
  }
  void warmUp() noexcept override {
    ++warmUps;
    load();
  }

  static constexpr double loadSeconds = 0.2;
  int warmUps = 0;

 private:
  void load() {
    if (!std::exchange(loaded_, true))
      std::this_thread::sleep_for(std::chrono::duration<double>(loadSeconds));
  }
  bool loaded_ = false;
};

// Adjoints that take a time, counted.
class SlowAdjoint : public ForwardingNufft {
 public:
  SlowAdjoint(std::unique_ptr<Nufft<float>> plan, double seconds, int& runs)
      : ForwardingNufft(std::move(plan)), seconds_(seconds), runs_(runs) {}
  void forward(const Complex*, Complex*, const Execution&) override {}
  void adjoint(const Complex*, Complex*, const Execution&) override {
    ++runs_;
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds_));
  }
  void setWeights(std::span<const double>) override {}
  void normal(const Complex*, Complex*, const Execution&) override {}

 private:
  double seconds_;
  int& runs_;
};

class SlowToRun : public CountingCpuBackend {
 public:
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    return wrapped(p, o,
                   [&](auto plan) { return std::make_unique<SlowAdjoint>(std::move(plan), seconds, runs); });
  }
  double seconds = 0.4;
  int runs = 0;
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

  // 0.6 s in all: a second run of 0.4 s would end beyond them.
  void noRunIsBegunThatWouldEndTooLate() {
    TuneFixture f;
    SlowToRun backend;
    f.backends = {&backend};
    f.request.workload.direction = Direction::adjoint;
    f.request.maxSearchSeconds = 0.6;
    const TuneResult r = f.run();
    QVERIFY(r.best >= 0 && r.candidates[std::size_t(r.best)].timed());
    QCOMPARE(backend.runs, 1);
  }

  // On a machine slower than the model, a plan's time is known once it is made.
  void aPlanThatTookTooLongIsNotRun() {
    CostModel::shared().forget();
    SlowToRun slow;
    slow.seconds = 0.01;
    slow.onPlan = [] { std::this_thread::sleep_for(std::chrono::seconds(1)); };
    TuneFixture f;
    f.backends = {&slow};
    f.request.workload.direction = Direction::adjoint;
    const TuneResult result = f.run();
    QCOMPARE(slow.plans, 1);
    QCOMPARE(slow.runs, 0);
    QVERIFY(result.best >= 0 && !result.candidates[std::size_t(result.best)].timed());
    QVERIFY2(result.reason.find("by the cost model") != std::string::npos, result.reason.c_str());
    f.request.mustTime = true;
    const TuneResult timed = f.run();
    CostModel::shared().forget();  // so slow plans
    QVERIFY(timed.candidates[std::size_t(timed.best)].timed());
  }

  // Two million pixels took 4 s on two cores: making the plan that was timed took most of it.
  // The bound leaves room for other programs.
  void longLinesInDoubleKeepToIt() {
    std::mt19937 random(4);
    constexpr std::int64_t pixels = 1 << 21, samples = 1 << 18;
#if defined(__SANITIZE_ADDRESS__)
    constexpr double bound = 15;  // instrumented
#else
    constexpr double bound = 3;
#endif
    const std::vector<double> points = uniformPoints(random, samples, 1);
    for (const double accuracy : {1e-9, 1e-11, 1e-12}) {
      TuneFixture f(Precision::double64, 1, {pixels, 1, 1});
      f.request.points = points;
      f.request.options.accuracy = accuracy;
      f.request.options.threads = 0;
      const TuneResult r = f.run();
      QVERIFY2(r.best >= 0 && r.seconds < bound, QByteArray::number(r.seconds));
    }
  }

  // The first plan that is timed would be charged with it.
  void librariesAreNoPartOfTheFirstPlan() {
    TuneFixture f;
    ColdDevice device;
    f.backends = {&device};
    const TuneResult r = f.run();
    QVERIFY(device.warmUps > 0 && r.best >= 0);
    for (const Candidate& c : r.candidates)
      if (c.timed() && c.options.fftEffort == FftEffort::estimate)  // others wait for FFTW's planner
        QVERIFY2(c.planSeconds < ColdDevice::loadSeconds, describe(c).c_str());
  }

  // Before the first plan is timed, a search of all says how many there are and how long that
  // should take.
  void anExhaustiveSearchSaysHowLongItTakes() {
    TuneFixture f;
    f.request.effort = TuneEffort::exhaustive;
    f.request.trials = 1;
    QStringList said;
    std::vector<int> plansBefore;
    f.run(nullptr, Progress({}, [&](double, const std::string& what) {
            if (what.find(" of ") == std::string::npos) return;
            said.push_back(QString::fromStdString(what));
            plansBefore.push_back(f.backend.plans);
          }));
    const auto all = qsizetype(enumerateCandidates(f.backends, f.request).size());
    QCOMPARE(said.size(), all);
    QCOMPARE(plansBefore.front(), 0);
    for (qsizetype i = 0; i < all; ++i) {
      const QString place = QString(R"( \(%1 of %2, about [0-9.]+ [a-zµ]+ left\)$)").arg(i + 1).arg(all);
      QVERIFY2(QRegularExpression(place).match(said[i]).hasMatch(), qPrintable(said[i]));
    }
    f.request.effort = TuneEffort::measure;
    f.run(nullptr, Progress({}, [](double, const std::string& what) {
            QVERIFY2(what.find(" left)") == std::string::npos, what.c_str());
          }));
  }

  // Repeats as asked for, the warm-up, and the points twice where a plan gets points again and
  // again.
  void theExpectedTimeCountsAllThatIsDone() {
    TuneFixture f;
    Candidate c;
    c.predictedParts = {.plan = 1, .points = 2, .execution = 3, .transfer = 4};
    TimingPolicy policy;
    policy.trials = 5;
    QCOMPARE(expectedSeconds(f.request, c, policy), 1 + 2 + 6 * 7.);
    f.request.workload.pointSets = 2;
    QCOMPARE(expectedSeconds(f.request, c, policy), 1 + 4 + 6 * 7.);
    policy.trials = 0;  // a slow run is repeated once
    QCOMPARE(expectedSeconds(f.request, c, policy), 1 + 4 + 2 * 7.);
  }

  // As the search itself counts them; nothing is planned for it.
  void anEstimateTimesNothing() {
    TuneFixture f;
    f.request.effort = TuneEffort::exhaustive;
    const TuneEstimate whole = estimateTuning(f.backends, f.request, nullptr, {});
    QCOMPARE(whole.plans, int(enumerateCandidates(f.backends, f.request).size()));
    QVERIFY(whole.seconds > 0 && whole.earlier == 0);
    QVERIFY2(QRegularExpression(R"(^[0-9]+ plans, about [0-9.]+ [a-zµ]+, and some more for the details)")
                 .match(QString::fromStdString(estimateText(whole)))
                 .hasMatch(),
             estimateText(whole).c_str());
    TuneRequest measured = f.request;
    measured.measureError = true;
    QVERIFY(estimateTuning(f.backends, measured, nullptr, {}).seconds > whole.seconds);
    f.request.timeLimit = whole.seconds / 2;
    const TuneEstimate cut = estimateTuning(f.backends, f.request, nullptr, {});
    QCOMPARE(cut.seconds, f.request.timeLimit);
    QVERIFY(estimateText(cut).find("the time limit, are not enough for all") != std::string::npos);
    f.request.timeLimit = 0;
    f.request.effort = TuneEffort::measure;
    QVERIFY(estimateTuning(f.backends, f.request, nullptr, {}).seconds <= 1);
    f.request.effort = TuneEffort::estimate;
    QVERIFY(
        estimateText(estimateTuning(f.backends, f.request, nullptr, {})).ends_with("none of which is timed"));
    QCOMPARE(f.backend.plans, 0);
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

}  // namespace test_planning_time

#include "test_planning_time.moc"
