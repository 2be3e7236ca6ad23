// The tuner: what it may choose from, what it keeps, and how it ends.
#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "engine/core/error.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/tune/cost_model.h"
#include "engine/nufft/tune/sweep/sweep.h"
#include "engine/nufft/tune/tune.h"
#include "engine/nufft/tune/wisdom.h"
#include "tests/engine/nufft/contract.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_tune {

using namespace spokelab;
using namespace spokelab::test;

namespace {

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
  void ratiosOfSingleDimensionsAreKept();
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
};

void TestTune::everyCandidateMeetsTheAccuracy() {
  for (const double accuracy : {1e-1, 1e-3, 1e-5}) {
    TuneFixture f;
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
  TuneFixture f;
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
  TuneFixture f;
  f.request.effort = TuneEffort::measure;
  const TuneResult r = f.run();
  QVERIFY2(r.seconds < 4,
           qPrintable(QString::number(r.seconds)));  // 1 s or so; others may be using the machine
  QVERIFY(r.best >= 0);
  QVERIFY(QString::fromStdString(r.reason).startsWith("Fastest of "));
}

void TestTune::estimateTimesNothing() {
  TuneFixture f;
  f.request.effort = TuneEffort::estimate;
  const TuneResult r = f.run();
  QCOMPARE(f.backend.plans, 0);
  QVERIFY(r.best == 0 && !r.candidates.front().timed());
  QVERIFY(r.candidates.front().memory > 0);
}

void TestTune::fixedOptionsAreRespected() {
  TuneFixture f;
  f.request.effort = TuneEffort::exhaustive;
  f.request.trials = 1;
  f.request.options.kernel = KernelType::kaiserBessel;
  f.request.options.precomputation = Precomputation::polynomial;
  f.request.options.spread = f.request.options.interpolate = Method::blocked;
  f.request.options.bins = {64, 32, 1};
  f.request.options.fftEffort = FftEffort::estimate;
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

// The z of an image may have finer grids than x and y; a plan known from elsewhere does not serve
// this request.
void TestTune::ratiosOfSingleDimensionsAreKept() {
  const QTemporaryDir folder;
  Wisdom wisdom(folder.filePath("wisdom.json").toStdString());
  TuneFixture f;
  f.request.effort = TuneEffort::measure;
  const TuneResult usual = f.run(&wisdom);
  f.request.options.axisAlpha = {0, 2, 0};
  for (const bool known : {false, true}) {
    const TuneResult r = f.run(&wisdom);
    QCOMPARE(r.fromWisdom, known);
    for (const Candidate& c : r.candidates) {
      QCOMPARE(c.grid, gridSize(f.request.problem, c.options.alpha, c.options.width, {0, 2, 0}));
      QVERIFY(c.grid[1] >= 80);
    }
    const Candidate& best = r.candidates[std::size_t(r.best)];
    QCOMPARE(f.backend.plan<float>(f.request.problem, best.options)->info().grid, best.grid);
  }
  f.request.options.axisAlpha = {};
  QVERIFY(f.run(&wisdom).candidates.front().grid == usual.candidates[std::size_t(usual.best)].grid);
  f.request.options.axisAlpha = {0.5, 0, 0};
  QVERIFY_EXCEPTION_THROWN(f.run(), Error);
}

void TestTune::everyDirectionIsTimed() {
  for (const Direction d : {Direction::forward, Direction::adjoint, Direction::both, Direction::normal}) {
    TuneFixture f(Precision::double64);
    const std::vector<double> weights(1500, 0.5);
    f.request.workload.direction = d;
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
  TuneFixture f;
  f.request.options.alpha = 2;
  f.request.trials = 9;
  const StageTimings t = f.run().candidates.front().timings;
  QVERIFY(t.unaccounted() > -1e-9 * t.total && t.unaccounted() < 0.5 * t.total);
}

void TestTune::theBestIsTheFastest() {
  TuneFixture f;
  f.request.effort = TuneEffort::exhaustive;
  const TuneResult r = f.run();
  for (const Candidate& c : r.candidates)
    QVERIFY(c.timings.total >= r.candidates[std::size_t(r.best)].timings.total);
}

void TestTune::progressNamesTheCandidate() {
  TuneFixture f;
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
  TuneFixture f;
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
  TuneFixture f;
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
    TuneFixture f;
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
  // Every pair with polynomials; every implementation and source of kernel values at one pair.
  constexpr std::array<std::pair<Precision, bool>, 4> cases{{{Precision::single, true},
                                                             {Precision::single, false},
                                                             {Precision::double64, true},
                                                             {Precision::double64, false}}};
  for (const auto& [precision, everyPair] : cases) {
    TuneFixture f(precision, 3, {12, 14, 10});
    f.request.options.accuracy = precision == Precision::single ? 1e-4 : 1e-8;
    f.request.measureError = true;
    f.request.effort = TuneEffort::exhaustive;
    f.request.trials = 1;
    if (everyPair) {
      f.request.options.precomputation = Precomputation::polynomial;
      f.request.options.spread = f.request.options.interpolate = Method::blocked;
    } else {
      f.request.options.alpha = 2;
      f.request.options.kernel = KernelType::kaiserBessel;
    }
    const TuneResult r = f.run();
    int refused = 0;
    for (const Candidate& c : r.candidates) {
      if (!c.refused.empty()) {  // a linear table of that accuracy would be too large
        ++refused;
        QCOMPARE(c.options.precomputation, Precomputation::linear);
        continue;
      }
      QVERIFY(c.measuredError.has_value());
      QVERIFY(*c.measuredError < f.request.options.accuracy);
      QVERIFY(*c.measuredError > 0.2 * c.predicted.relativeL2 &&
              *c.measuredError < 3 * c.predicted.relativeL2);
    }
    QVERIFY(refused < int(r.candidates.size()) / 2);
  }
}

void TestTune::sweepTimesWhatIsAsked() {
  TuneFixture f;
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
  TuneFixture f;
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
    TuneFixture other;
    other.request.trials = 1;
    change(other);
    return !other.run(&wisdom).fromWisdom;
  };
  QVERIFY(ignored([](TuneFixture& o) { o.backend.fingerprint_ = "machine B"; }));
  QVERIFY(ignored([](TuneFixture& o) { o.request.options.accuracy = 1e-4; }));
  QVERIFY(ignored([](TuneFixture& o) { o.request.problem.size = {48, 42, 1}; }));
  QVERIFY(ignored([](TuneFixture& o) { o.request.problem.precision = Precision::double64; }));
  QVERIFY(ignored([](TuneFixture& o) { o.request.workload.direction = Direction::forward; }));
  QVERIFY(ignored([](TuneFixture& o) { o.request.options.alpha = 1.5; }));
  QVERIFY(ignored([](TuneFixture& o) { o.request.effort = TuneEffort::exhaustive; }));
  QVERIFY(ignored([](TuneFixture& o) {
    for (double& k : o.points) k *= 0.1;
    o.request.points = o.points;
  }));
  // an exhaustive search, remembered just now, serves lower efforts too
  TuneFixture lower;
  QVERIFY(lower.run(&wisdom).fromWisdom);
  lower.request.effort = TuneEffort::estimate;
  QVERIFY(lower.run(&wisdom).fromWisdom);
}

void TestTune::namesRoundTrip() {
  for (const TuneEffort e : {TuneEffort::estimate, TuneEffort::measure, TuneEffort::exhaustive})
    QVERIFY(effortFromName(effortName(e)) == e);
  for (const Direction d : {Direction::forward, Direction::adjoint, Direction::both, Direction::normal})
    QVERIFY(directionFromName(directionName(d)) == d);
  for (const char* name : {"auto", "blocked", "gm", "gm-sort", "sm", "sector", "output", "fixed", "tensor",
                           "sparse", "cusparse"})
    QCOMPARE(std::string(methodName(methodFromName(name))), std::string(name));
  for (const char* name : {"kaiser-bessel", "semicircle", "prolate"})
    QCOMPARE(std::string(kernelName(kernelFromName(name))), std::string(name));
  for (const char* name : {"auto", "gridded", "toeplitz", "toeplitz-shifted"})
    QCOMPARE(std::string(normalMethodName(normalMethodFromName(name))), std::string(name));
  QVERIFY_EXCEPTION_THROWN(methodFromName("fast"), Error);
  QVERIFY_EXCEPTION_THROWN(effortFromName(""), Error);
}

SPOKELAB_TEST(TestTune)

}  // namespace test_tune

#include "test_tune.moc"
