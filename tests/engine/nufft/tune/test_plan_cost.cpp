// The predicted cost of making a plan decides when a plan serves few executions and nothing is
// timed.
#include <QtTest>

#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/cost_model.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_plan_cost {

using namespace spokelab;
using namespace spokelab::test;

namespace {

class FakeGpu : public CountingCpuBackend {
 public:
  std::string name() const override { return "cuda"; }
  std::vector<Method> spreadMethods(const NufftProblem&, const NufftOptions&) const override {
    return {Method::tensor};
  }
  std::vector<Method> interpolateMethods(const NufftProblem&, const NufftOptions&) const override {
    return {Method::tensor};
  }
  std::vector<Method> allSpreadMethods(const NufftProblem&, const NufftOptions&) const override {
    return {Method::tensor, Method::sector, Method::pointDriven};
  }
  std::int64_t estimateMemory(const NufftProblem&, const NufftOptions&, std::int64_t) const override {
    return 0;
  }
};

struct Estimated : TuneFixture {
  FakeGpu gpu;

  explicit Estimated(Precision precision = Precision::single) : TuneFixture(precision, 3, {48, 48, 48}) {
    CostModel::shared().forget();
    backends = {&gpu};
    request.options.accuracy = 1e-3;
    request.problem.batch = 4;
    request.effort = TuneEffort::estimate;
    request.workload = {Direction::adjoint, 1, 1, false};
  }
  Candidate candidate(double alpha, KernelType kernel) {
    TuneRequest one = request;
    one.options.kernel = kernel;
    return makeCandidate(gpu, one, alpha, 5, Method::tensor, Method::tensor);
  }
  bool hasPasses(const Candidate& c) const { return hasPassesOn(gpuBackend, request.problem, c.grid); }
};

}  // namespace

class TestPlanCost : public QObject {
  Q_OBJECT

 private slots:
  // cuFFT takes longer to make its plan than such a preview takes to be computed.
  void oneExecutionTakesAGridWithoutAnFftPlan() {
    Estimated f;
    const TuneResult once = f.run();
    QVERIFY(f.hasPasses(once.candidates[std::size_t(once.best)]));
    for (const Candidate& c : once.candidates) {
      const double others = c.predictedSeconds - c.predictedParts.plan;
      QVERIFY2(f.hasPasses(c) == (c.predictedParts.plan < 1e-3), describe(c).c_str());
      QVERIFY(others < 1e-3);
    }
  }

  // The cost of making a plan counts for less if it serves more.
  void manyExecutionsTakeTheFastestExecution() {
    Estimated f;
    f.request.workload.executions = Workload::unlimited;
    const TuneResult many = f.run();
    const Candidate& best = many.candidates[std::size_t(many.best)];
    for (const Candidate& c : many.candidates)
      QVERIFY(best.predictedParts.execution <= c.predictedParts.execution * (1 + 1e-12));
  }

  void aKernelWithoutAClosedFormTakesLonger() {
    Estimated f;
    const auto plan = [&](KernelType kernel) { return f.candidate(1.5, kernel).predictedParts.plan; };
    QVERIFY(plan(KernelType::kaiserBessel) < plan(KernelType::semicircle));
    QVERIFY(plan(KernelType::semicircle) < plan(KernelType::prolate));
  }

  // Only a method whose direction is asked for has to sort.
  void pointsInAnyOrderAreSetSooner() {
    Estimated f;
    const auto points = [&](Direction direction, Method spread, Method interpolate) {
      f.request.workload.direction = direction;
      return makeCandidate(f.gpu, f.request, 1.5, 5, spread, interpolate).predictedParts.points;
    };
    constexpr Method sorts = Method::pointSorted, takes = Method::pointDriven;
    const double sorted = points(Direction::adjoint, sorts, takes);
    QVERIFY(points(Direction::adjoint, takes, sorts) < 0.3 * sorted);
    QCOMPARE(points(Direction::forward, sorts, takes), points(Direction::adjoint, takes, sorts));
    QCOMPARE(points(Direction::both, takes, sorts), sorted);
    QVERIFY(points(Direction::both, takes, takes) < 0.3 * sorted);
  }

  // They may win where no ranking by the time of a point expects it.
  void pointsInAnyOrderAreTriedWhereTheyAreFew() {
    Estimated f;
    const auto count = [&](Method method) {
      return std::ranges::count(enumerateCandidates(f.backends, f.request), method,
                                [](const Candidate& c) { return c.options.spread; });
    };
    QVERIFY(count(Method::tensor) > 0);
    QCOMPARE(count(Method::pointDriven), count(Method::tensor));
    QCOMPARE(count(Method::sector), 0);
    std::mt19937 random(5);
    f.points = uniformPoints(random, (1 << 18) + 1, 3);
    f.request.points = f.points;
    QVERIFY(count(Method::tensor) > 0);
    QCOMPARE(count(Method::pointDriven), 0);
  }

  // A value takes twice the bytes: on an H100 passes took 1.9 times as long.
  void passesTakeLongerInDouble() {
    const auto execution = [](Precision precision) {
      Estimated f(precision);
      f.request.points = std::span(f.points).first(3);
      return f.candidate(2, KernelType::kaiserBessel).predictedParts.execution;
    };
    const double ratio = execution(Precision::double64) / execution(Precision::single);
    QVERIFY2(ratio > 1.7 && ratio < 2, QByteArray::number(ratio));
  }

  void longLinesPlanAnFft() {
    for (const Precision precision : {Precision::single, Precision::double64}) {
      Estimated f(precision);
      for (const std::int64_t pixels : {500, 2000, 3000}) {
        f.request.problem = problemOf(2, {pixels, pixels, 1}, precision);
        const Candidate c = f.candidate(2, KernelType::kaiserBessel);
        QCOMPARE(f.hasPasses(c), pixels < 3000);  // up to 4096 cells
        QCOMPARE(c.predictedParts.plan < 1e-3, pixels < 3000);
      }
    }
  }

  // Tensor cores take a window slab by slab: a wide kernel costs them less than cells of its
  // volume, and a small grid pays.
  void tensorCoresPayByTheSlab() {
    Estimated f(Precision::double64);
    std::mt19937 random(5);
    // So many that half of them have points in all columns and fill tiles: what these cost falls
    // out.
    f.points = uniformPoints(random, 1500000, 3);
    f.request.points = f.points;
    const auto execution = [&](double width, Method method) {
      TuneRequest one = f.request;
      one.options.kernel = KernelType::kaiserBessel;
      one.points = std::span(f.points).first(f.points.size() / 2);
      const Candidate half = makeCandidate(f.gpu, one, 2, width, method, method);
      one.points = f.points;
      return makeCandidate(f.gpu, one, 2, width, method, method).predictedParts.execution -
             half.predictedParts.execution;
    };
    const double slabs = execution(12, Method::tensor) / execution(6, Method::tensor),
                 cells = execution(12, Method::subproblem) / execution(6, Method::subproblem);
    QVERIFY2(std::abs(slabs - 2) < 0.01, QByteArray::number(slabs));
    QVERIFY2(cells > 6, QByteArray::number(cells));
  }

  // On an H100, 9 coils of 120^3 pixels at 1e-11: tensor cores took 41 ms with 15 cells, where a
  // column owns four, and 24 with 13; tiles in shared memory took 279 ms, and points one by one 20.
  void fewPointsUnderAWideKernelShareNoSlabs() {
    Estimated f(Precision::double64);
    std::mt19937 random(5);
    f.points = uniformPoints(random, 368000, 3);
    f.request.points = f.points;
    f.request.problem = problemOf(3, {120, 120, 120}, Precision::double64);
    f.request.problem.batch = 9;
    f.request.options.kernel = KernelType::kaiserBessel;
    f.request.workload.direction = Direction::forward;
    const auto execution = [&](double alpha, double width, Method method) {
      return makeCandidate(f.gpu, f.request, alpha, width, Method::automatic, method)
          .predictedParts.execution;
    };
    const double wide = execution(1.5, 14.73, Method::tensor), narrow = execution(1.8, 12.95, Method::tensor);
    QVERIFY2(wide > 1.5 * narrow, QByteArray::number(wide / narrow));
    const double tiles = execution(1.8, 12.95, Method::subproblem),
                 points = execution(1.8, 12.95, Method::pointSorted);
    QVERIFY2(tiles > 3 * points, QByteArray::number(tiles / points));
  }

  // A grid with passes that was slow to make says nothing of those that cuFFT plans, and the other
  // way round.
  void whatIsLearntOfOneKindIsNotToldOfTheOther() {
    Estimated f;
    Candidate slow = f.candidate(2, KernelType::kaiserBessel);
    const Candidate planned = f.candidate(1.04, KernelType::kaiserBessel);  // 50 cells: the next length is 54
    QVERIFY(f.hasPasses(slow) && !f.hasPasses(planned));
    const double passes = slow.predictedParts.plan;
    constexpr double times = 7;
    slow.planSeconds = times * passes;
    slow.timings.total = 1e-3;
    CostModel::shared().learn(f.request, slow);
    const CostParts same = CostModel::shared().predict(f.request, slow),
                    other = CostModel::shared().predict(f.request, planned);
    CostModel::shared().forget();
    QVERIFY(std::abs(same.plan / (times * passes) - 1) < 1e-9);
    QCOMPARE(other.plan, planned.predictedParts.plan);
  }
};

SPOKELAB_TEST(TestPlanCost)

}  // namespace test_plan_cost

#include "test_plan_cost.moc"
