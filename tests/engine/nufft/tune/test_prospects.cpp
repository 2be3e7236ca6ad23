// The next plans to time: copies between host and GPU, which all share, decide nothing; a plan
// whose FFT a library may have to compile is not the first; a GPU's methods are each tried once. A
// direction that is not timed remains open.
#include <QtTest>

#include <chrono>
#include <thread>
#include <tuple>

#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/cost_model.h"
#include "engine/nufft/tune/search/prospects.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_prospects {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// Executions of a millisecond, whatever the plan; copies beside them.
class EvenPlan : public Nufft<float> {
 public:
  EvenPlan(const NufftProblem& problem, const NufftOptions& options, double copySeconds)
      : problem_(problem), copySeconds_(copySeconds) {
    info_.options = options;
    for (Method* m : {&info_.options.spread, &info_.options.interpolate})
      if (*m == Method::automatic) *m = Method::pointSorted;
    info_.grid = gridSize(problem, options.alpha, options.width);
  }
  const NufftProblem& problem() const override { return problem_; }
  const PlanInfo& info() const override { return info_; }
  std::int64_t points() const override { return points_; }
  void setPoints(const PlanPoints& points) override {
    points_ = std::int64_t(points.coordinates.size()) / problem_.dims;
  }
  void forward(const Complex*, Complex*, const Execution&) override { run(Stage::interpolate); }
  void adjoint(const Complex*, Complex*, const Execution&) override { run(Stage::spread); }
  void setWeights(std::span<const double>) override {}
  void normal(const Complex*, Complex*, const Execution&) override {}

 private:
  void run(Stage stage) const {
    constexpr double seconds = 1e-3;
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    StageTimings timings;
    timings[stage] = seconds;
    timings[Stage::transfer] = copySeconds_;
    tellStages(timings);
  }
  NufftProblem problem_;
  PlanInfo info_;
  std::int64_t points_ = 0;
  double copySeconds_;
};

class EvenGpu : public CountingCpuBackend {
 public:
  std::string name() const override { return "cuda"; }
  std::int64_t estimateMemory(const NufftProblem&, const NufftOptions&, std::int64_t) const override {
    return 0;
  }
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    if (p.precision == Precision::double64) return CountingCpuBackend::makePlan(p, o);
    ++plans;
    return std::make_unique<EvenPlan>(p, o, copySeconds);
  }
  double copySeconds = 0;
};

struct Copied : TuneFixture {
  EvenGpu gpu;

  Copied() : TuneFixture(Precision::single, 2, {256, 256, 1}) {
    CostModel::shared().forget();
    backends = {&gpu};
    request.problem.batch = 16;
    request.workload = {Direction::adjoint, 100, 1, false};
    request.options.kernel = KernelType::kaiserBessel;
  }
  ~Copied() { CostModel::shared().forget(); }
};

// A candidate with a predicted cost.
Candidate ofMethod(Method spread, double seconds, std::int64_t grid = 320) {
  Candidate c;
  c.backend = "cuda";
  c.options.spread = spread;
  c.grid = {grid, grid, 1};
  c.predictedSeconds = seconds;
  return c;
}

}  // namespace

class TestProspects : public QObject {
  Q_OBJECT

 private slots:
  void copiesTakeWhatTheyTookForPlansThatWereTimed() {
    Copied f;
    std::vector<Candidate> all = enumerateCandidates(f.backends, f.request);
    QVERIFY(all[1].predictedParts.transfer > 0);
    all[0].timings.total = 1e-3;
    const std::span<Candidate> rest = std::span(all).subspan(1);
    for (const double copies : {0., 0.25}) {
      all[0].transferSeconds = copies;
      predictRest(f.request, std::span(all).first(1), rest);
      for (const Candidate& c : rest) {
        QCOMPARE(c.predictedParts.transfer, copies);
        QCOMPARE(c.predictedSeconds, c.predictedParts.whole(f.request.workload));
      }
    }
  }

  void plansOfABackendAreComparedWithoutThem() {
    Copied f;
    Candidate c;
    c.backend = "cuda";
    c.timings.total = 3;
    c.seconds = 10;
    c.transferSeconds = 6;
    QCOMPARE(besideCopies(f.request, c), 4.);
    const std::vector<Candidate> candidates{c};
    QCOMPARE(bestBesideCopies(f.request, candidates, "cuda"), 4.);
    QVERIFY(std::isinf(bestBesideCopies(f.request, candidates, "cpu")));
    f.request.workload.onDevice = true;
    QCOMPARE(besideCopies(f.request, c), 10.);
  }

  // The guess for copies is as long as an execution: with it every plan but the five that are timed
  // at least looked too slow.
  void aGuessOfCopiesEndsNoSearch() {
    Copied f;
    f.request.maxSearchSeconds = 2;
    f.request.timeLimit = 2;
    const TuneResult r = f.run();
    const auto timed = std::ranges::count_if(r.candidates, &Candidate::timed);
    QVERIFY2(timed > 5, QByteArray::number(qlonglong(timed)));
  }

  // cuFFT compiled code for a length in 0.45 s, of a search of half a second.
  void aLibrarysPlanIsTimedForMoreThanALittle() {
    Copied f;
    const auto candidate = [](const Index3& grid, double seconds) {
      Candidate c;
      c.backend = "cuda";
      c.grid = grid;
      c.predictedSeconds = seconds;
      return c;
    };
    const Index3 passes{320, 320, 1}, library{350, 350, 1};
    QVERIFY(hasPassesOn(gpuBackend, f.request.problem, passes));
    QVERIFY(!hasPassesOn(gpuBackend, f.request.problem, library));
    Candidate known = candidate(passes, 1);
    known.timings.total = 1;
    const std::vector<Candidate> timed{known}, none;
    const auto next = [&](const std::vector<Candidate>& before, double ofLibrary) {
      return mostPromising(f.request, before,
                           std::vector{candidate(library, ofLibrary), candidate(passes, 1)});
    };
    QCOMPARE(next(none, 0.5), std::size_t(1));    // the first of the GPU
    QCOMPARE(next(none, 0.2), std::size_t(0));    // much is promised
    QCOMPARE(next(timed, 0.95), std::size_t(1));  // little
    QCOMPARE(next(timed, 0.5), std::size_t(0));
    f.request.effort = TuneEffort::exhaustive;  // times all
    QCOMPARE(next(none, 0.95), std::size_t(0));
  }

  // In 2-D all methods have one guess: what is learnt of the first says nothing of the others.
  void aMethodThatWasNotTriedComesBeforeVariations() {
    Copied f;
    const auto candidate = [](const std::string& backend, Method spread, double seconds) {
      Candidate c;
      c.backend = backend;
      c.options.spread = spread;
      c.grid = {320, 320, 1};
      c.predictedSeconds = seconds;
      return c;
    };
    const auto next = [&](const std::string& backend, double ofOther) {
      std::vector<Candidate> timed{candidate(backend, Method::tensor, 1)};
      timed[0].timings.total = 1;
      return mostPromising(f.request, timed,
                           std::vector{candidate(backend, Method::tensor, 1),
                                       candidate(backend, Method::subproblem, ofOther)});
    };
    QCOMPARE(next("cuda", 1.2), std::size_t(1));
    QCOMPARE(next("cuda", 1.3), std::size_t(0));
    QCOMPARE(next("cpu", 1.2), std::size_t(0));
    f.request.effort = TuneEffort::exhaustive;  // times all
    QCOMPARE(next("cuda", 1.2), std::size_t(0));
  }

  // Five of tensor cores were timed, and all other methods promise too little to go on with.
  void everyMethodIsTriedOnceBeforeOthersAreVaried() {
    Copied f;
    constexpr std::int64_t library = 350;  // no passes of our own
    std::vector<Candidate> all(5, ofMethod(Method::tensor, 1));
    for (Candidate& c : all) c.timings.total = 1;
    for (const auto& [spread, seconds] :
         {std::pair{Method::tensor, 1.1}, std::pair{Method::subproblem, 2.9},
          std::pair{Method::fixedPoint, 2.}, std::pair{Method::subproblem, 2.5},
          std::pair{Method::pointDriven, 6.1}})
      all.push_back(ofMethod(spread, seconds));
    all.push_back(ofMethod(Method::fixedPoint, 1.9, library));  // no less, with code to compile
    Candidate slow = ofMethod(Method::sparse, 1.4);             // to set points
    slow.predictedParts.points = 0.1;
    all.push_back(slow);
    std::vector<double> tried;
    for (std::size_t done = 5; done < all.size(); ++done) {
      if (!bringForward(f.request, std::span(all).first(done), std::span(all).subspan(done))) break;
      tried.push_back(all[done].predictedSeconds);
      all[done].timings.total = 2;
    }
    QCOMPARE(tried, (std::vector{2., 2.5, 1.1}));
    // One that turns out to be fast is gone on with.
    Candidate better = ofMethod(Method::subproblem, 1.2);
    all.push_back(better);
    QVERIFY(bringForward(f.request, std::span(all).first(8), std::span(all).subspan(8)));
    QCOMPARE(all[8].predictedSeconds, 1.2);
    f.request.effort = TuneEffort::exhaustive;  // times all
    QVERIFY(bringForward(f.request, std::span(all).first(9), std::span(all).subspan(9)));
  }

  // In 2-D, where all have one guess, once one plan was timed: in the order of their ranking, and
  // where no library has to plan for it.
  void methodsAreTriedAtOnce() {
    constexpr std::int64_t library = 350, other = 392, passes = 320;
    const auto tried = [&](int dims, std::int64_t first) {
      Copied f;
      f.request.problem.dims = dims;
      std::vector<Candidate> all{ofMethod(Method::pointDriven, 1, first)};
      all[0].timings.total = 1;
      for (const auto& [spread, grid, seconds] :
           {std::tuple{Method::pointDriven, first, 0.9}, std::tuple{Method::tensor, other, 1.3},
            std::tuple{Method::tensor, first, 1.7}, std::tuple{Method::subproblem, first, 1.7},
            std::tuple{Method::sparse, first, 6.1}})
        all.push_back(ofMethod(spread, seconds, grid));
      std::vector<double> promised;
      for (std::size_t done = 1; done < 4; ++done) {
        const auto before = std::span(all).first(done), rest = std::span(all).subspan(done);
        if (!bringForward(f.request, before, rest)) break;
        promised.push_back(all[done].predictedSeconds);
        all[done].timings.total = 2;
      }
      return promised;
    };
    for (const std::int64_t first : {library, passes})
      QCOMPARE(tried(2, first), (std::vector{1.7, 1.7, 0.9}));
    QCOMPARE(tried(3, passes).front(), 0.9);
  }

  // The library may compile for longer than the search has left: candidates without its plans
  // continue.
  void aSearchGoesOnWithoutPlansOfTheLibrary() {
    Copied f;
    constexpr std::int64_t planned = 350, other = 392;
    std::vector<Candidate> all{ofMethod(Method::tensor, 1, planned), ofMethod(Method::tensor, 0.5, other),
                               ofMethod(Method::tensor, 1.2, planned), ofMethod(Method::tensor, 1.1)};
    all[0].timings.total = 1;
    const auto timed = [&](std::size_t done) { return std::span<const Candidate>(all).first(done); };
    QVERIFY(needsLibraryPlan(f.request, {}, all[0]) && !needsLibraryPlan(f.request, timed(1), all[2]));
    QVERIFY(needsLibraryPlan(f.request, timed(1), all[1]) && !needsLibraryPlan(f.request, timed(1), all[3]));
    for (const double next : {1.1, 1.2}) {
      const std::size_t done = next < 1.15 ? 1 : 2;
      QVERIFY(bringForward(f.request, timed(done), std::span(all).subspan(done), false));
      QCOMPARE(all[done].predictedSeconds, next);
      all[done].timings.total = 1;
    }
    QVERIFY(!bringForward(f.request, timed(3), std::span(all).subspan(3), false));
    QVERIFY(bringForward(f.request, timed(3), std::span(all).subspan(3), true));
  }

  void aCpusMethodsAreKnown() {
    Copied f;
    Candidate c;
    c.backend = "cpu";
    c.predictedSeconds = 1;
    std::vector<Candidate> all(6, c);
    for (std::size_t i = 0; i < 5; ++i) all[i].timings.total = 1;
    all[5].options.spread = Method::subproblem;
    all[5].predictedSeconds = 1.4;
    QVERIFY(!bringForward(f.request, std::span(all).first(5), std::span(all).subspan(5)));
    all[5].backend = "cuda";
    QVERIFY(bringForward(f.request, std::span(all).first(5), std::span(all).subspan(5)));
  }

  void theDirectionThatIsNotTimedStaysOpen() {
    for (const Direction direction : {Direction::forward, Direction::adjoint}) {
      Copied f;
      f.request.workload.direction = direction;
      const TuneResult r = f.run();
      const Candidate& best = r.candidates[std::size_t(r.best)];
      QVERIFY(best.timed());
      const bool forward = direction == Direction::forward;
      QCOMPARE(forward ? best.options.spread : best.options.interpolate, Method::automatic);
      QVERIFY((forward ? best.options.interpolate : best.options.spread) != Method::automatic);
      QVERIFY(!QString::fromStdString(describe(best)).contains("auto"));
    }
  }
};

SPOKELAB_TEST(TestProspects)

}  // namespace test_prospects

#include "test_prospects.moc"
