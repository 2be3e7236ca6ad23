// The tuner: what it may choose from, what it keeps, and how it ends.
#include <QtTest>

#include <cmath>
#include <set>

#include "engine/core/error.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/cost_model.h"
#include "engine/nufft/tune/refinements.h"
#include "engine/nufft/tune/sweep.h"
#include "engine/nufft/tune/tune.h"
#include "engine/nufft/tune/wisdom.h"
#include "tests/engine/nufft/contract.h"
#include "tests/test_main.h"

using namespace spokelab;
using namespace spokelab::test;

namespace {

// The CPU's plans; `delay` seconds are added to executions at chosen grids.
class TestBackend : public NufftBackend {
 public:
  std::string name() const override { return "cpu"; }
  std::string badge() const override { return "test"; }
  std::string fingerprint() const override { return fingerprint_; }
  std::vector<Method> spreadMethods(const NufftProblem&, const NufftOptions& o) const override {
    return methods(o.spread);
  }
  std::vector<Method> interpolateMethods(const NufftProblem&, const NufftOptions& o) const override {
    return methods(o.interpolate);
  }
  std::int64_t estimateMemory(const NufftProblem& p, const NufftOptions& o,
                              std::int64_t points) const override {
    return estimateCpuMemory(p, o, points);
  }
  std::unique_ptr<Nufft<float>> planFloat(const NufftProblem& p, const NufftOptions& o) override {
    ++plans;
    if (onPlan) onPlan();
    return makeCpuNufftFloat(p, o);
  }
  std::unique_ptr<Nufft<double>> planDouble(const NufftProblem& p, const NufftOptions& o) override {
    ++plans;
    if (onPlan) onPlan();
    return makeCpuNufftDouble(p, o);
  }

  int plans = 0;
  std::function<void()> onPlan;
  std::string fingerprint_ = "machine A";

 private:
  static std::vector<Method> methods(Method asked) {
    if (asked == Method::automatic || asked == Method::blocked) return {Method::blocked};
    return {};
  }
};

struct Fixture {
  TestBackend backend;
  std::vector<NufftBackend*> backends{&backend};
  std::vector<double> points;
  TuneRequest request;

  explicit Fixture(Precision precision = Precision::single, int dims = 2, Index3 size = {48, 40, 1}) {
    std::mt19937 random(3);
    points = uniformPoints(random, 1500, dims);
    request.problem = problemOf(dims, size, precision);
    request.points = points;
    request.options.threads = 1;
  }
  TuneResult run(Wisdom* wisdom = nullptr, const Progress& progress = {},
                 const std::function<void(const Candidate&)>& seen = {}) {
    return tune(backends, request, wisdom, progress, seen);
  }
};

QString temporaryFile(const QTemporaryDir& folder) {
  return folder.filePath("wisdom.json");
}

}  // namespace

class TestTune : public QObject {
  Q_OBJECT
 private slots:
  void everyCandidateMeetsTheAccuracy();
  void exhaustiveTimesAll();
  void measureEndsInTime();
  void estimateTimesNothing();
  void fixedOptionsAreRespected();
  void everyDirectionIsTimed();
  void stagesAddUp();
  void theBestIsTheFastest();
  void progressNamesTheCandidate();
  void isCancelled();
  void refusesTheImpossible();
  void memoryLimitIsKept();
  void measuredErrorsAreWithinTheRequest();
  void sweepTimesWhatIsAsked();
  void wisdomIsUsedAndOnlyWhereItFits();
  void namesRoundTrip();

  void binsAreRefinedOnlyWhereTheyMatterAndAreOpen() {
    Fixture f;
    f.request.options.precomputation = Precomputation::polynomial;
    Candidate winner;
    winner.backend = "cuda";
    winner.options = f.request.options;
    winner.options.spread = winner.options.interpolate = Method::tensor;
    f.request.direction = Direction::adjoint;
    QVERIFY(refinements(f.request, winner).empty());
    winner.options.spread = Method::subproblem;
    const std::vector<NufftOptions> open = refinements(f.request, winner);
    std::set<Index3> bins;
    std::set<int> sizes;
    for (const NufftOptions& o : open) {
      bins.insert(o.bins);
      sizes.insert(o.maxSubproblem);
      QCOMPARE(o.spread, Method::subproblem);
      QCOMPARE(o.alpha, winner.options.alpha);
    }
    QVERIFY(bins.size() > 2 && sizes.size() > 2);
    f.request.direction = Direction::forward;  // spreading is then not used
    QVERIFY(refinements(f.request, winner).empty());
    f.request.direction = Direction::adjoint;
    f.request.options.bins = {8, 8, 1};
    f.request.options.maxSubproblem = 1000;
    QVERIFY(refinements(f.request, winner).empty());
  }

  void tilesAreRefinedOnlyWhereTheyMatterAndAreOpen() {
    Fixture f;
    f.request.options.precomputation = Precomputation::polynomial;
    Candidate winner;
    winner.backend = "cpu";
    winner.options = f.request.options;
    winner.options.spread = winner.options.interpolate = Method::blocked;
    const auto tiles = [&] {
      std::set<Index3> sizes;
      for (const NufftOptions& o : refinements(f.request, winner))
        if (o.spread == Method::blocked && o.interpolate == Method::blocked) sizes.insert(o.bins);
      return sizes.size();
    };
    QCOMPARE(tiles(), std::size_t(1));
    f.request.effort = TuneEffort::exhaustive;
    QCOMPARE(tiles(), std::size_t(4));
    winner.options.scheduler.kind = Scheduler::graph;  // partitions have no size of their own
    QCOMPARE(tiles(), std::size_t(0));
    winner.options.scheduler.kind = Scheduler::tiles;
    f.request.options.bins = {16, 16, 1};
    QCOMPARE(tiles(), std::size_t(0));
    f.request.options.bins = {0, 0, 0};
    winner.options.spread = Method::sparse;
    f.request.effort = TuneEffort::measure;
    f.request.direction = Direction::adjoint;
    QVERIFY(refinements(f.request, winner).empty());
  }

  // Whatever won, all that can still be refined of it has been timed.
  void refinementsAddUp() {
    Fixture f(Precision::single, 3, {32, 32, 32});
    f.request.effort = TuneEffort::exhaustive;
    f.request.trials = 1;
    f.request.direction = Direction::forward;
    f.request.options.kernel = KernelType::kaiserBessel;
    f.request.options.alpha = 1.5;
    f.request.options.interpolate = Method::blocked;
    const TuneResult r = f.run();
    const Candidate& best = r.candidates[std::size_t(r.best)];
    for (const NufftOptions& o : refinements(f.request, best)) {
      const auto known = std::count_if(r.candidates.begin(), r.candidates.end(), [&](const Candidate& c) {
        return c.options.precomputation == o.precomputation && c.options.bins == o.bins &&
               c.options.interpolate == o.interpolate;
      });
      QVERIFY2(known > 0, qPrintable(QString::fromStdString(describe(best))));
    }
  }

  void aTableIsTriedWhereTheTimedMethodTakesOne() {
    Fixture f;
    f.request.options.bins = {8, 8, 1};
    f.request.options.maxSubproblem = 1000;
    Candidate winner;
    winner.backend = "cuda";
    winner.options = f.request.options;
    winner.options.spread = Method::subproblem;
    winner.options.interpolate = Method::tensor;
    f.request.direction = Direction::both;
    QVERIFY(refinements(f.request, winner).empty());  // tensor cores take no table
    f.request.direction = Direction::adjoint;         // interpolation is then free
    const std::vector<NufftOptions> tables = refinements(f.request, winner);
    QCOMPARE(tables.size(), std::size_t(1));
    QCOMPARE(tables[0].precomputation, Precomputation::linear);
    QCOMPARE(tables[0].interpolate, Method::automatic);
    f.request.options.precomputation = Precomputation::polynomial;
    QVERIFY(refinements(f.request, winner).empty());
  }

  void longerCirclesAreTriedWhereTheRatioIsOpen() {
    Fixture f;
    Candidate winner;
    winner.backend = "cuda";
    winner.options = f.request.options;
    winner.options.normal = NormalMethod::toeplitz;
    winner.options.toeplitzAlpha = 2;
    f.request.direction = Direction::normal;
    std::set<double> ratios;
    for (const NufftOptions& o : refinements(f.request, winner)) ratios.insert(o.toeplitzAlpha);
    QVERIFY(ratios.size() > 2 && !ratios.contains(0) && !ratios.contains(2));
    f.request.options.toeplitzAlpha = 2;
    QVERIFY(refinements(f.request, winner).empty());
  }
};

void TestTune::everyCandidateMeetsTheAccuracy() {
  for (const double accuracy : {1e-1, 1e-3, 1e-5}) {
    Fixture f;
    f.request.options.accuracy = accuracy;
    f.request.effort = TuneEffort::estimate;
    const TuneResult r = f.run();
    QVERIFY(r.candidates.size() > 5 || accuracy < 1e-4);
    for (const Candidate& c : r.candidates) {
      QVERIFY(c.predicted.bound <= accuracy);
      QVERIFY(c.options.alpha > 1 && c.options.alpha <= 2);
      QCOMPARE(c.grid, gridSize(f.request.problem, c.options.alpha, c.options.width));
      QVERIFY(c.predictedSeconds > 0);
    }
  }
}

void TestTune::exhaustiveTimesAll() {
  Fixture f;
  f.request.effort = TuneEffort::exhaustive;
  f.request.trials = 1;
  std::size_t seen = 0;
  const TuneResult r = f.run(nullptr, {}, [&](const Candidate& c) {
    QVERIFY(c.timed());
    ++seen;
  });
  QCOMPARE(seen, r.candidates.size());
  for (const Candidate& c : r.candidates) {
    QVERIFY(c.timed() && c.refused.empty());
    QCOMPARE(c.repeats, 1);
    QVERIFY(c.memory > 0 && c.setPointsSeconds > 0);
    QVERIFY(c.options.spread == Method::sparse ||
            (c.options.spread == Method::blocked && c.options.bins[0] > 0));
  }
  // Full precomputation is tried on the winner.
  for (const Method method : {Method::blocked, Method::sparse})
    QVERIFY(std::any_of(r.candidates.begin(), r.candidates.end(),
                        [&](const Candidate& c) { return c.options.spread == method; }));
}

void TestTune::measureEndsInTime() {
  Fixture f;
  f.request.effort = TuneEffort::measure;
  const TuneResult r = f.run();
  QVERIFY2(r.seconds < 4,
           qPrintable(QString::number(r.seconds)));  // 1 s or so; others may be using the machine
  QVERIFY(r.best >= 0);
  QVERIFY(QString::fromStdString(r.reason).startsWith("Fastest of "));
}

void TestTune::estimateTimesNothing() {
  Fixture f;
  f.request.effort = TuneEffort::estimate;
  const TuneResult r = f.run();
  QCOMPARE(f.backend.plans, 0);
  QVERIFY(r.best == 0 && !r.candidates.front().timed());
  QVERIFY(r.candidates.front().memory > 0);
}

void TestTune::fixedOptionsAreRespected() {
  Fixture f;
  f.request.effort = TuneEffort::exhaustive;
  f.request.trials = 1;
  f.request.options.kernel = KernelType::kaiserBessel;
  f.request.options.precomputation = Precomputation::polynomial;
  f.request.options.spread = f.request.options.interpolate = Method::blocked;
  f.request.options.bins = {64, 32, 1};
  f.request.options.alpha = 1.37;
  TuneResult r = f.run();
  QCOMPARE(r.candidates.size(), std::size_t(1));
  QCOMPARE(r.candidates.front().options.alpha, 1.37);
  f.request.options.alpha = 0;
  f.request.options.width = 5.5;
  r = f.run();
  QVERIFY(r.candidates.size() > 1);
  for (const Candidate& c : r.candidates) QCOMPARE(c.options.width, 5.5);
  f.request.options.alpha = 2.5;  // beyond what the tuner searches, but the user's choice
  r = f.run();
  QCOMPARE(r.candidates.size(), std::size_t(1));
  QCOMPARE(r.candidates.front().options.alpha, 2.5);
  f.request.options = {};
  f.request.options.kernel = KernelType::prolate;
  r = f.run();
  for (const Candidate& c : r.candidates) QVERIFY(c.options.kernel == KernelType::prolate);
}

void TestTune::everyDirectionIsTimed() {
  for (const Direction d : {Direction::forward, Direction::adjoint, Direction::both, Direction::normal}) {
    Fixture f(Precision::dbl);
    const std::vector<double> weights(1500, 0.5);
    f.request.direction = d;
    if (d == Direction::normal) f.request.weights = weights;
    f.request.options.normal = NormalMethod::gridded;
    f.request.options.alpha = 1.5;
    const TuneResult r = f.run();
    const StageTimings& t = r.candidates.front().timings;
    QCOMPARE(t[Stage::interpolate] > 0, d != Direction::adjoint);
    QCOMPARE(t[Stage::spread] > 0, d != Direction::forward);
    QVERIFY(t[Stage::fft] > 0);
  }
}

void TestTune::stagesAddUp() {
  Fixture f;
  f.request.options.alpha = 2;
  f.request.trials = 9;
  const StageTimings t = f.run().candidates.front().timings;
  QVERIFY(t.unaccounted() > -1e-9 * t.total && t.unaccounted() < 0.5 * t.total);
}

void TestTune::theBestIsTheFastest() {
  Fixture f;
  f.request.effort = TuneEffort::exhaustive;
  const TuneResult r = f.run();
  for (const Candidate& c : r.candidates)
    QVERIFY(c.timings.total >= r.candidates[std::size_t(r.best)].timings.total);
}

void TestTune::progressNamesTheCandidate() {
  Fixture f;
  f.request.effort = TuneEffort::exhaustive;
  f.request.trials = 1;
  double last = -1;
  int named = 0;
  const Progress progress({}, [&](double fraction, const std::string& what) {
    QVERIFY(fraction >= last && fraction <= 1);
    last = fraction;
    named += what.find("α ") == 0 && what.find(", cpu ") != std::string::npos;
  });
  const TuneResult r = f.run(nullptr, progress);
  QVERIFY(named >= int(r.candidates.size()));
}

void TestTune::isCancelled() {
  Fixture f;
  f.request.effort = TuneEffort::exhaustive;
  std::stop_source stop;
  int seen = 0;
  const TuneResult r = f.run(nullptr, Progress(stop.get_token()), [&](const Candidate&) {
    if (++seen == 3) stop.request_stop();
  });
  QVERIFY(r.cancelled);
  QCOMPARE(seen, 3);
  QVERIFY(r.best >= 0 && r.best < 3);
  QVERIFY(r.reason.find("Stopped early") == 0);
  // before anything was timed
  const TuneResult none = f.run(nullptr, Progress(stop.get_token()));
  QVERIFY(none.cancelled && none.best == -1);
}

void TestTune::refusesTheImpossible() {
  Fixture f;
  f.request.options.accuracy = 1e-12;
  QVERIFY_EXCEPTION_THROWN(f.run(), Error);
  f.request.options = {};
  f.request.options.width = 2;
  QVERIFY_EXCEPTION_THROWN(f.run(), Error);
  f.request.options = {};
  f.request.options.spread = Method::tensor;
  QVERIFY_EXCEPTION_THROWN(f.run(), Error);
  f.request.options = {};
  f.backends.clear();
  QVERIFY_EXCEPTION_THROWN(f.run(), Error);
}

void TestTune::memoryLimitIsKept() {
  for (const TuneEffort effort : {TuneEffort::estimate, TuneEffort::exhaustive}) {
    Fixture f;
    f.request.trials = 1;
    f.request.effort = TuneEffort::estimate;
    const TuneResult free = f.run();
    std::vector<std::int64_t> memory;
    for (const Candidate& c : free.candidates)
      memory.push_back(estimateCpuMemory(f.request.problem, c.options, 1500));
    std::sort(memory.begin(), memory.end());
    f.request.options.memoryLimit = memory[memory.size() / 2];
    f.request.effort = effort;
    const TuneResult r = f.run();
    QVERIFY(r.candidates[std::size_t(r.best)].memory <= f.request.options.memoryLimit);
    f.request.options.memoryLimit = 1000;
    QVERIFY_EXCEPTION_THROWN(f.run(), Error);
  }
}

void TestTune::measuredErrorsAreWithinTheRequest() {
  for (const Precision precision : {Precision::single, Precision::dbl}) {
    Fixture f(precision, 3, {12, 14, 10});
    f.request.options.accuracy = precision == Precision::single ? 1e-4 : 1e-8;
    f.request.measureError = true;
    f.request.effort = TuneEffort::exhaustive;
    f.request.trials = 1;
    const TuneResult r = f.run();
    for (const Candidate& c : r.candidates) {
      QVERIFY(c.measuredError.has_value());
      QVERIFY(*c.measuredError < f.request.options.accuracy);
      QVERIFY(*c.measuredError > 0.2 * c.predicted.relativeL2 &&
              *c.measuredError < 3 * c.predicted.relativeL2);
    }
  }
}

void TestTune::sweepTimesWhatIsAsked() {
  Fixture f;
  SweepRequest s;
  s.base = f.request;
  s.base.trials = 1;
  s.base.measureError = true;
  s.alphas = {1.25, 1.5, 2};
  s.widths = {2, 4, 6};
  TuneResult r = sweep(f.backends, s, {});
  QCOMPARE(r.candidates.size(), std::size_t(9));
  for (std::size_t i = 0; i < 9; ++i) {
    const Candidate& c = r.candidates[i];
    QCOMPARE(c.options.alpha, s.alphas[i / 3]);
    QCOMPARE(c.options.width, s.widths[i % 3]);
    QVERIFY2(c.timed() || c.predicted.bound > 0.5, c.refused.c_str());
    if (c.timed()) QVERIFY(*c.measuredError < 1.5 * c.predicted.bound);
  }
  QVERIFY(r.best >= 0 && r.candidates[std::size_t(r.best)].predicted.bound <= 1.01e-3);
  s.widths.clear();
  s.base.options.accuracy = 1e-5;
  s.alphas = {1.05, 2};
  r = sweep(f.backends, s, {});
  QCOMPARE(r.candidates.size(), std::size_t(2));
  // Out of reach in single precision.
  QVERIFY(!r.candidates[0].timed() && !r.candidates[0].refused.empty());
  QVERIFY(r.candidates[1].timed() && r.best == 1);
  s.alphas.clear();
  r = sweep(f.backends, s, {});
  QCOMPARE(r.candidates.size(), fastAlphas(f.request.problem).size());
}

void TestTune::wisdomIsUsedAndOnlyWhereItFits() {
  const QTemporaryDir folder;
  Wisdom wisdom(temporaryFile(folder).toStdString());
  Fixture f;
  f.request.trials = 1;
  const TuneResult first = f.run(&wisdom);
  QVERIFY(!first.fromWisdom);
  QCOMPARE(wisdom.size(), std::size_t(1));
  const int plans = f.backend.plans;
  const TuneResult again = f.run(&wisdom);
  QVERIFY(again.fromWisdom && again.best == 0 && f.backend.plans == plans);
  QCOMPARE(again.candidates.front().options, first.candidates[std::size_t(first.best)].options);
  QCOMPARE(again.candidates.front().timings.total, first.candidates[std::size_t(first.best)].timings.total);

  auto ignored = [&](auto&& change) {
    Fixture other;
    other.request.trials = 1;
    change(other);
    return !other.run(&wisdom).fromWisdom;
  };
  QVERIFY(ignored([](Fixture& o) { o.backend.fingerprint_ = "machine B"; }));
  QVERIFY(ignored([](Fixture& o) { o.request.options.accuracy = 1e-4; }));
  QVERIFY(ignored([](Fixture& o) { o.request.problem.size = {48, 42, 1}; }));
  QVERIFY(ignored([](Fixture& o) { o.request.problem.precision = Precision::dbl; }));
  QVERIFY(ignored([](Fixture& o) { o.request.direction = Direction::forward; }));
  QVERIFY(ignored([](Fixture& o) { o.request.options.alpha = 1.5; }));
  QVERIFY(ignored([](Fixture& o) { o.request.effort = TuneEffort::exhaustive; }));
  QVERIFY(ignored([](Fixture& o) {
    for (double& k : o.points) k *= 0.1;
    o.request.points = o.points;
  }));
  // an exhaustive search, remembered just now, serves lower efforts too
  Fixture lower;
  QVERIFY(lower.run(&wisdom).fromWisdom);
  lower.request.effort = TuneEffort::estimate;
  QVERIFY(lower.run(&wisdom).fromWisdom);
}

void TestTune::namesRoundTrip() {
  for (const TuneEffort e : {TuneEffort::estimate, TuneEffort::measure, TuneEffort::exhaustive})
    QVERIFY(effortFromName(effortName(e)) == e);
  for (const Direction d : {Direction::forward, Direction::adjoint, Direction::both, Direction::normal})
    QVERIFY(directionFromName(directionName(d)) == d);
  for (const char* name :
       {"auto", "blocked", "gm", "gm-sort", "sm", "sector", "output", "fixed", "tensor", "sparse"})
    QCOMPARE(std::string(methodName(methodFromName(name))), std::string(name));
  for (const char* name : {"kaiser-bessel", "semicircle", "prolate"})
    QCOMPARE(std::string(kernelName(kernelFromName(name))), std::string(name));
  for (const char* name : {"auto", "gridded", "toeplitz", "toeplitz-shifted"})
    QCOMPARE(std::string(normalMethodName(normalMethodFromName(name))), std::string(name));
  QVERIFY_EXCEPTION_THROWN(methodFromName("fast"), Error);
  QVERIFY_EXCEPTION_THROWN(effortFromName(""), Error);
}

SPOKELAB_TEST(TestTune)
#include "test_tune.moc"
