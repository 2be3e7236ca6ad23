// The tuner's choice does not depend on what the process tuned before: fresh, in any order, and
// after fifty tiny problems. The device is made up, so that its times are the same in every run:
// launches cost a constant, each method has its rate, a stored matrix takes long to make and
// is offered for many points only.
#include <QtTest>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/plan/work_terms.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/cost_model.h"
#include "engine/nufft/tune/wisdom.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_same_choice {

using namespace spokelab;
using namespace spokelab::test;

namespace {

void sleepFor(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

// Seconds that the made-up device takes.
struct Truth {
  static constexpr double launch = 8e-6;
  double points = 0, spread = 0, fft = 0;

  Truth(const NufftProblem& problem, const NufftOptions& o, const Index3& grid, std::int64_t count) {
    const double width = std::ceil(o.width), values = double(count) * std::pow(width, problem.dims),
                 cells = double(product(grid)), images = double(problem.batch);
    constexpr double sortSeconds = 1e-10, fftSeconds = 1e-11;
    points = 5e-5 + sortSeconds * double(count);
    fft = launch + images * fftSeconds * cells;
    switch (o.spread) {
      case Method::tensor:
        spread = launch + images * 4e-11 * double(count) * width;
        break;
      case Method::subproblem:
        spread = launch + images * 8e-12 * values;
        break;
      case Method::sparse:
        points += 2e-9 * values;
        spread = launch + images * 1.5e-10 * values;
        break;
      default:  // additions in memory
        spread = launch + images * 2e-11 * values;
    }
  }
  double execution() const { return spread + fft; }
};

class ToldPlan : public Nufft<float> {
 public:
  ToldPlan(const NufftProblem& problem, const NufftOptions& options) : problem_(problem) {
    info_.options = options;
    info_.onDevice = true;
    for (Method* m : {&info_.options.spread, &info_.options.interpolate})
      if (*m == Method::automatic) *m = Method::pointSorted;
    info_.grid = gridSizeOn(gpuBackend, problem, options.alpha, options.width, options.axisAlpha);
  }
  const NufftProblem& problem() const override { return problem_; }
  const PlanInfo& info() const override { return info_; }
  std::int64_t points() const override { return points_; }
  void setPoints(const PlanPoints& points) override {
    points_ = std::int64_t(points.coordinates.size()) / problem_.dims;
    sleepFor(truth().points);
    StageTimings timings;
    timings[Stage::sort] = truth().points;
    tellStages(timings);
  }
  DeviceRuns deviceRuns(Direction, int runs, bool) override {
    const Truth t = truth();
    sleepFor(runs * t.execution());
    DeviceRuns told;
    told.stages.seconds[std::size_t(Stage::spread)] = t.spread;
    told.stages.seconds[std::size_t(Stage::fft)] = t.fft;
    told.seconds.assign(std::size_t(runs), t.execution());
    return told;
  }
  void forward(const Complex*, Complex*, const Execution&) override {}
  void adjoint(const Complex*, Complex*, const Execution&) override {}
  void setWeights(std::span<const double>) override {}
  void normal(const Complex*, Complex*, const Execution&) override {}

 private:
  Truth truth() const { return {problem_, info_.options, info_.grid, points_}; }
  NufftProblem problem_;
  PlanInfo info_;
  std::int64_t points_ = 0;
};

class ToldGpu : public CountingCpuBackend {
 public:
  std::string name() const override { return gpuBackend; }
  std::vector<Method> spreadMethods(const NufftProblem&, const NufftOptions&) const override {
    std::vector<Method> methods{Method::tensor, Method::subproblem, Method::pointSorted};
    if (storesMatrices) methods.push_back(Method::sparse);
    return methods;
  }
  std::vector<Method> interpolateMethods(const NufftProblem& p, const NufftOptions& o) const override {
    return spreadMethods(p, o);
  }
  std::vector<Method> allSpreadMethods(const NufftProblem& p, const NufftOptions& o) const override {
    return spreadMethods(p, o);
  }
  std::int64_t estimateMemory(const NufftProblem&, const NufftOptions&, std::int64_t) const override {
    return 0;
  }
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    if (p.precision == Precision::double64) return CountingCpuBackend::makePlan(p, o);
    ++plans;
    return std::make_unique<ToldPlan>(p, o);
  }
  bool storesMatrices = false;
};

struct Problem {
  int dims;
  Index3 size;
  std::int64_t points, batch;
  double accuracy, executions;
};
const Problem problems[] = {{3, {50, 38, 38}, 200'000, 4, 1e-4, Workload::unlimited},
                            {2, {300, 300, 1}, 400'000, 4, 3e-4, Workload::unlimited},
                            {3, {32, 32, 32}, 60'000, 1, 1e-3, 10},
                            {2, {128, 128, 1}, 30'000, 1, 1e-3, 1}};
constexpr std::int64_t minStoredPoints = 10'000;

struct Chosen {
  Method method;
  double seconds;  // by the device
  bool timedTensor = false, timedSorted = false;
};

class Device {
 public:
  Chosen tuned(const Problem& p, unsigned seed = 9) {
    std::mt19937 random(seed);
    TuneRequest r;
    r.problem = problemOf(p.dims, p.size, Precision::single);
    r.problem.batch = p.batch;
    const std::vector<double> points = uniformPoints(random, p.points, p.dims);
    r.points = points;
    r.options.accuracy = p.accuracy;
    r.options.kernel = KernelType::kaiserBessel;
    r.workload = {Direction::adjoint, p.executions, Workload::unlimited, true};
    gpu_.storesMatrices = p.points >= minStoredPoints;
    NufftBackend* const backends[] = {&gpu_};
    const TuneResult found = tune(backends, r, nullptr, {});
    const Candidate& best = found.candidates[std::size_t(found.best)];
    const Truth truth(r.problem, best.options, best.grid, p.points);
    Chosen chosen{best.options.spread, truth.execution() + truth.points / p.executions};
    for (const Candidate& c : found.candidates) {
      chosen.timedTensor |= c.timed() && c.options.spread == Method::tensor;
      chosen.timedSorted |=
          c.timed() && (c.options.spread == Method::subproblem || c.options.spread == Method::pointSorted);
    }
    return chosen;
  }
  void tuneTinyProblems() {
    constexpr unsigned tiny = 50;
    for (unsigned i = 0; i < tiny; ++i) {
      const int dims = 1 + int(i % 3);
      Index3 size{1, 1, 1};
      for (int d = 0; d < dims; ++d) size[std::size_t(d)] = 8 + (7 * i + 3 * unsigned(d)) % 25;
      tuned({dims, size, 100 + 57 * i, 1, 1e-3, Workload::unlimited}, i);
    }
  }

 private:
  ToldGpu gpu_;
};

void isSame(const Chosen& found, const Chosen& fresh, const char* when) {
  constexpr double mayBeSlower = 1.15;  // by another ratio of the same method
  QVERIFY2(found.timedTensor && found.timedSorted, when);
  QVERIFY2(found.method == fresh.method, (std::string(when) + ": " + std::string(methodName(found.method)) +
                                          ", not " + std::string(methodName(fresh.method)))
                                             .c_str());
  QVERIFY2(found.seconds <= mayBeSlower * fresh.seconds,
           (std::string(when) + ": " + std::to_string(found.seconds / fresh.seconds)).c_str());
}

}  // namespace

class TestSameChoice : public QObject {
  Q_OBJECT

 private slots:
  void init() { CostModel::shared().forget(); }
  void cleanupTestCase() { CostModel::shared().forget(); }

  void whateverWasTunedBefore() {
    std::vector<Chosen> fresh;
    for (const Problem& p : problems) {
      CostModel::shared().forget();
      Device device;
      fresh.push_back(device.tuned(p));
    }
    constexpr std::size_t orders[][4] = {{0, 1, 2, 3}, {3, 1, 2, 0}, {2, 3, 0, 1}};
    for (const auto& order : orders) {
      CostModel::shared().forget();
      Device device;
      for (const std::size_t i : order) isSame(device.tuned(problems[i]), fresh[i], "in another order");
    }
    CostModel::shared().forget();
    Device device;
    device.tuneTinyProblems();
    for (std::size_t i = 0; i < std::size(problems); ++i)
      isSame(device.tuned(problems[i]), fresh[i], "after tiny problems");
  }

  // Times of a thousandth of the work say nothing about a rate.
  void tinyProblemsTellNothingOfLargeOnes() {
    Device device;
    const auto predicted = [](Method method) {
      std::mt19937 random(2);
      TuneFixture f(Precision::single, 3, {50, 38, 38});
      f.points = uniformPoints(random, 200'000, 3);
      f.request.points = f.points;
      f.request.workload = {Direction::adjoint, Workload::unlimited, 1, true};
      f.request.options.kernel = KernelType::kaiserBessel;
      ToldGpu gpu;
      return makeCandidate(gpu, f.request, 1.5, 6, method, Method::automatic);
    };
    const double before = predicted(Method::tensor).predictedParts.execution;
    device.tuneTinyProblems();
    const double after = predicted(Method::tensor).predictedParts.execution;
    QVERIFY2(after < 3 * before && after > before / 3, QByteArray::number(after / before));
  }

  // A method that was slow where points crowd is promised what it takes elsewhere.
  void slownessElsewhereKeepsNoMethodFromBeingTried() {
    std::mt19937 random(2);
    TuneFixture f(Precision::single, 2, {64, 64, 1}), other(Precision::single, 2, {64, 64, 1});
    f.points = uniformPoints(random, 50'000, 2);
    other.points = uniformPoints(random, 50'000, 2);
    ToldGpu gpu;
    for (TuneFixture* one : {&f, &other}) {
      one->request.points = one->points;
      one->request.options.kernel = KernelType::kaiserBessel;
      one->request.workload.direction = Direction::adjoint;
    }
    const auto candidate = [&](const TuneRequest& r) {
      return makeCandidate(gpu, r, 1.5, 6, Method::subproblem, Method::automatic);
    };
    const Candidate guessed = candidate(f.request);
    Candidate slow = guessed;
    constexpr double times = 50;
    slow.timings.total = times * guessed.predictedParts.execution;
    slow.timings.seconds[std::size_t(Stage::spread)] = slow.timings.total;
    CostModel::shared().learn(other.request, slow);
    const Candidate here = candidate(f.request), there = candidate(other.request);
    QVERIFY(there.promisedParts.execution > 0.9 * slow.timings.total);
    QVERIFY(there.predictedParts.execution > 0.9 * slow.timings.total);
    QVERIFY(here.promisedParts.execution <= here.predictedParts.execution);
  }

  // One disturbed run among many.
  void anOutlierDecidesLittle() {
    std::mt19937 random(2);
    TuneFixture f(Precision::single, 2, {64, 64, 1});
    ToldGpu gpu;
    f.request.options.kernel = KernelType::kaiserBessel;
    f.request.workload.direction = Direction::adjoint;
    constexpr double usual = 1e-4, disturbed = 5e-3;
    double last = 0;
    for (int i = 0; i < 12; ++i) {
      f.points = uniformPoints(random, 40'000, 2);  // a new problem each
      f.request.points = f.points;
      Candidate c = makeCandidate(gpu, f.request, 1.5, 6, Method::subproblem, Method::automatic);
      last = c.predictedParts.execution;
      c.timings.total = c.timings.seconds[std::size_t(Stage::spread)] = i == 5 ? disturbed : usual;
      CostModel::shared().learn(f.request, c);
    }
    QVERIFY2(last > 0.5 * usual && last < 2 * usual, QByteArray::number(last));
  }

  void aLongerSearchReplacesWisdomThatItBeats() {
    Wisdom wisdom{std::filesystem::path()};
    std::mt19937 random(2);
    TuneFixture f(Precision::single, 2, {64, 64, 1});
    f.points = uniformPoints(random, 20'000, 2);
    f.request.points = f.points;
    ToldGpu gpu;
    gpu.storesMatrices = false;
    f.backends = {&gpu};
    f.request.workload = {Direction::adjoint, Workload::unlimited, Workload::unlimited, true};
    f.request.options.kernel = KernelType::kaiserBessel;
    const TuneResult first = f.run(&wisdom);
    QVERIFY(!first.fromWisdom && first.candidates[std::size_t(first.best)].searchSeconds > 0);
    QVERIFY(f.run(&wisdom).fromWisdom);
    // As a short search that knew no better would have left it.
    const std::string key = Wisdom::key(f.backends, f.request);
    Candidate poor = *wisdom.find(key);
    const double good = poor.timings.total;
    poor.timings.total *= 5;
    poor.seconds *= 5;
    poor.searchSeconds = 0.1;
    wisdom.remember(key, poor);
    f.request.timeLimit = 0.5;
    const TuneResult longer = f.run(&wisdom);
    QVERIFY(!longer.fromWisdom);
    f.request.timeLimit = 0;
    const TuneResult recalled = f.run(&wisdom);
    QVERIFY(recalled.fromWisdom);
    QVERIFY(recalled.candidates.front().timings.total <= 1.2 * good);
  }

  // Plans of a quarter of a second: time allows two.
  void aThinSearchSaysSoAndIsNotKept() {
    class Slow : public ToldGpu {
     public:
      AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
        sleepFor(0.45);
        return ToldGpu::makePlan(p, o);
      }
    } gpu;
    Wisdom wisdom{std::filesystem::path()};
    TuneFixture f(Precision::single, 2, {64, 64, 1});
    f.backends = {&gpu};
    f.request.workload = {Direction::adjoint, Workload::unlimited, Workload::unlimited, true};
    f.request.options.kernel = KernelType::kaiserBessel;
    const TuneResult r = f.run(&wisdom);
    QVERIFY(r.best >= 0 && r.isThin);
    QVERIFY2(r.reason.find("not kept as wisdom") != std::string::npos, r.reason.c_str());
    QVERIFY(!f.run(&wisdom).fromWisdom);
  }
};

SPOKELAB_TEST(TestSameChoice)

}  // namespace test_same_choice

#include "test_same_choice.moc"
