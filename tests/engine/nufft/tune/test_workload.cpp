// The workload: what a plan is tuned for decides which one wins.
#include <QTemporaryDir>
#include <QtTest>

#include <thread>

#include "engine/nufft/tune/cost_model.h"
#include "engine/nufft/tune/measure_error.h"
#include "engine/nufft/tune/sweep/sweep.h"
#include "engine/nufft/tune/timing.h"
#include "engine/nufft/tune/tune_reason.h"
#include "engine/nufft/tune/wisdom.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_workload {

using namespace spokelab;
using namespace spokelab::test;

namespace {

void wait(double seconds) {
  const double end = now() + seconds;
  while (now() < end) std::this_thread::yield();
}

// A plan that computes what the CPU's plan does, and takes the time that the test asks for. Stored
// kernel values make its execution short and its points long; of the others one is the fastest by far. The
// differences are several time slices of a busy machine.
class SlowPlan : public Nufft<float> {
 public:
  SlowPlan(std::unique_ptr<Nufft<float>> plan, double normalFactor)
      : plan_(std::move(plan)),
        stored_(plan_->info().options.precomputation == Precomputation::tensor),
        plain_(plan_->info().options.precomputation == Precomputation::polynomial &&
               plan_->info().options.spread == Method::blocked),
        normalFactor_(float(normalFactor)) {}
  const NufftProblem& problem() const override { return plan_->problem(); }
  const PlanInfo& info() const override { return plan_->info(); }
  std::int64_t points() const override { return plan_->points(); }
  void setPoints(const PlanPoints& points) override {
    wait(stored_ ? 0.12 : 0.002);
    plan_->setPoints(points);
  }
  void forward(const Complex* image, Complex* samples, const Execution& e) override {
    wait(seconds());
    plan_->forward(image, samples, e);
  }
  void adjoint(const Complex* samples, Complex* image, const Execution& e) override {
    wait(seconds());
    plan_->adjoint(samples, image, e);
  }
  void setWeights(std::span<const double> weights) override { plan_->setWeights(weights); }
  void normal(const Complex* in, Complex* out, const Execution& e) override {
    plan_->normal(in, out, e);
    for (std::int64_t i = 0; i < problem().pixels(); ++i) out[i] *= normalFactor_;
  }

 private:
  double seconds() const { return stored_ ? 0.004 : plain_ ? 0.024 : 0.05; }

  std::unique_ptr<Nufft<float>> plan_;
  bool stored_, plain_;
  float normalFactor_;
};

class SlowBackend : public CountingCpuBackend {
 public:
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    return wrapped(p, o,
                   [&](auto plan) { return std::make_unique<SlowPlan>(std::move(plan), normalFactor); });
  }
  double normalFactor = 1;
};

struct Slow : TuneFixture {
  SlowBackend slow;
  Slow() {
    backends = {&slow};
    request.options.alpha = 1.5;
    request.options.kernel = KernelType::kaiserBessel;
    request.workload.direction = Direction::adjoint;
    request.effort = TuneEffort::exhaustive;
  }
  Candidate best(double executions, Wisdom* wisdom = nullptr) {
    request.workload.executions = executions;
    const TuneResult r = run(wisdom);
    return r.candidates[std::size_t(r.best)];
  }
};

}  // namespace

class TestWorkload : public QObject {
  Q_OBJECT
 private slots:
  void theWholeCostCountsEveryPart() {
    const CostParts parts{8, 4, 1, 0.5};
    Workload w;
    QCOMPARE(parts.whole(w), 1.5);  // unlimited executions: no share of the rest
    w.executions = 2;
    w.pointSets = 4;
    QCOMPARE(parts.whole(w), 1.5 + (4 + 8.0 / 4) / 2);
    w.onDevice = true;
    QCOMPARE(parts.whole(w), 1 + (4 + 8.0 / 4) / 2);
  }

  void aWorkloadIsSaidInWords() {
    Workload w{Direction::adjoint, 4, 200, false};
    QCOMPARE(workloadText(w), std::string("adjoint, 4 executions for each of 200 sets of points"));
    w = {Direction::normal, 1, 1, true};
    QCOMPARE(workloadText(w), std::string("normal, 1 execution for a set of points, data on the device"));
    QCOMPARE(workloadText({}), std::string("both, executions alone"));
  }

  void storedValuesWinWhereTheyAreUsedOften() {
    // A very busy machine measures plans of equal times apart: then the outlook names another.
    constexpr int maxTries = 3;
    Candidate once = Slow().best(1);
    for (int i = 1; i < maxTries && once.outlook.find("tensor") == std::string::npos; ++i)
      once = Slow().best(1);
    const Candidate often = Slow().best(200);
    QVERIFY2(once.options.precomputation != Precomputation::tensor, once.outlook.c_str());
    QCOMPARE(often.options.precomputation, Precomputation::tensor);
    // (120 - 2) / (24 - 4) executions even out, but for the time that the plans take by themselves.
    QVERIFY2(once.outlook.starts_with("With "), once.outlook.c_str());
    QVERIFY2(once.outlook.find("tensor") != std::string::npos, once.outlook.c_str());
    const int from = std::atoi(once.outlook.c_str() + std::string("With ").size());
    QVERIFY2(from >= 3 && from <= 16, once.outlook.c_str());
    QVERIFY2(often.outlook.starts_with("With up to "), often.outlook.c_str());
  }

  void everyPartIsPredictedMeasuredAndKept() {
    CostModel::shared().forget();
    const QTemporaryDir folder;
    Wisdom wisdom(folder.filePath("wisdom.json").toStdString());
    Slow f;
    f.request.workload.pointSets = 2;
    const Candidate found = f.best(4, &wisdom);
    QVERIFY(found.planSeconds > 0 && found.setPointsSeconds > 0.0009 && found.timings.total > 0.002);
    QCOMPARE(found.seconds, found.parts().whole(f.request.workload));
    QCOMPARE(found.predictedSeconds, found.predictedParts.whole(f.request.workload));
    QVERIFY(found.predictedParts.plan > 0 && found.predictedParts.points > 0 &&
            found.predictedParts.execution > 0);
    // The model has learnt from what was timed: a plan like it is predicted within a factor.
    Candidate like = found;
    predictCost(f.request, like);
    const double ratio = like.predictedParts.points / found.setPointsSeconds;
    QVERIFY2(ratio > 0.2 && ratio < 5, QByteArray::number(ratio));

    const Candidate recalled = f.best(4, &wisdom);
    QCOMPARE(recalled.seconds, found.seconds);
    QCOMPARE(recalled.planSeconds, found.planSeconds);
    QCOMPARE(recalled.predictedParts.points, found.predictedParts.points);
    QCOMPARE(recalled.outlook, found.outlook);
  }

  void wisdomOfOneWorkloadServesNoOther() {
    const QTemporaryDir folder;
    Wisdom wisdom(folder.filePath("wisdom.json").toStdString());
    TuneFixture f;
    f.request.trials = 1;
    f.request.workload.executions = 4;
    f.run(&wisdom);
    QVERIFY(f.run(&wisdom).fromWisdom);
    const auto known = [&](auto&& change) {
      TuneFixture other;
      other.request.trials = 1;
      other.request.workload.executions = 4;
      change(other.request.workload);
      other.request.effort = TuneEffort::estimate;  // times nothing where nothing is known
      return other.run(&wisdom).fromWisdom;
    };
    QVERIFY(known([](Workload&) {}));
    QVERIFY(known([](Workload& w) { w.executions = 5; }));  // of one class
    QVERIFY(!known([](Workload& w) { w.executions = 100; }));
    QVERIFY(!known([](Workload& w) { w.executions = Workload::unlimited; }));
    QVERIFY(!known([](Workload& w) { w.pointSets = 200; }));
    QVERIFY(!known([](Workload& w) { w.onDevice = true; }));
    QVERIFY(!known([](Workload& w) { w.direction = Direction::normal; }));
  }

  void anAmplitudeMayBeAskedFor() {
    TuneFixture f;
    f.request.effort = TuneEffort::estimate;
    const TuneResult mean = f.run();
    f.request.problem.measure = ErrorMeasure::worstPixel;
    const TuneResult worst = f.run();
    const double asked = f.request.options.accuracy;
    const auto above = [&](const Candidate& c) { return c.predicted.worstPixel > asked; };
    QVERIFY(std::any_of(mean.candidates.begin(), mean.candidates.end(), above));
    QVERIFY(!worst.candidates.empty() &&
            std::none_of(worst.candidates.begin(), worst.candidates.end(), above));
    QVERIFY(Wisdom::key(f.backends, f.request).find("amplitude") != std::string::npos);
  }

  // A volume whose transform takes seconds on one thread: the cost model decides at once.
  void aSearchThatWouldTakeLongIsNotBegun() {
    CostModel::shared().forget();
    TuneFixture f(Precision::double64, 3, {96, 96, 96});
    std::mt19937 random(5);
    f.points = uniformPoints(random, 3000000, 3);
    f.request.points = f.points;
    f.request.options.accuracy = 1e-11;
    const TuneResult r = f.run();
    QCOMPARE(f.backend.plans, 0);
    QVERIFY(r.best >= 0 && !r.candidates[std::size_t(r.best)].timed());
    QVERIFY2(r.reason.find("by the cost model") != std::string::npos, r.reason.c_str());
    QVERIFY2(r.seconds < 2, QByteArray::number(r.seconds));  // others may be using the machine
  }

  void theErrorOfANormalOperatorIsThatOfTheNormalOperator() {
    Slow f;
    std::vector<double> weights(f.points.size() / 2, 0.7);
    for (const NormalMethod normal :
         {NormalMethod::gridded, NormalMethod::toeplitz, NormalMethod::toeplitzShifted}) {
      f.request.options.normal = normal;
      const auto error = [&](double factor) {
        f.slow.normalFactor = factor;
        return measureError(f.slow, f.request.problem, f.request.options, f.points, weights,
                            Direction::normal, 64, 3, {});
      };
      const double sound = error(1), wrong = error(1.05);
      QVERIFY2(sound > 1e-8 && sound < 2 * f.request.options.accuracy, QByteArray::number(sound));
      QVERIFY2(std::abs(wrong - 0.05) < 2e-3, QByteArray::number(wrong));
    }
  }
};

SPOKELAB_TEST(TestWorkload)

}  // namespace test_workload

#include "test_workload.moc"
