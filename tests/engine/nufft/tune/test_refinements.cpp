// Variants of the best candidate: only where they matter and the request leaves them open.
#include <QtTest>

#include <cmath>
#include <set>

#include "engine/nufft/points/shared_tile.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/nufft/tune/refinements.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_refinements {

using namespace spokelab;
using namespace spokelab::test;

class TestRefinements : public QObject {
  Q_OBJECT

 private slots:
  void binsAreRefinedOnlyWhereTheyMatterAndAreOpen() {
    TuneFixture f;
    f.request.options.precomputation = Precomputation::polynomial;
    Candidate winner;
    winner.backend = "cuda";
    winner.options = f.request.options;
    winner.options.spread = winner.options.interpolate = Method::tensor;
    f.request.workload.direction = Direction::adjoint;
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
    f.request.workload.direction = Direction::forward;  // spreading is then not used
    QVERIFY(refinements(f.request, winner).empty());
    f.request.workload.direction = Direction::adjoint;
    f.request.options.bins = {8, 8, 1};
    f.request.options.maxSubproblem = 1000;
    QVERIFY(refinements(f.request, winner).empty());
  }

  void tilesAreRefinedOnlyWhereTheyMatterAndAreOpen() {
    TuneFixture f;
    f.request.options.fftEffort = FftEffort::estimate;  // the others are test_fft_efforts'
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
    winner.options.scheduler.kind = Scheduler::graph;  // partitions have no tile size
    QCOMPARE(tiles(), std::size_t(0));
    winner.options.scheduler.kind = Scheduler::tiles;
    f.request.options.bins = {16, 16, 1};
    QCOMPARE(tiles(), std::size_t(0));
    f.request.options.bins = {0, 0, 0};
    winner.options.spread = Method::sparse;
    f.request.effort = TuneEffort::measure;
    f.request.workload.direction = Direction::adjoint;
    QVERIFY(refinements(f.request, winner).empty());
  }

  // Where a turn of the usual tiles has too few for all threads, a tile that has enough is tried
  // first, and taken where nothing is timed.
  void tilesGiveAllThreadsWork() {
    TuneFixture f;
    constexpr int manyThreads = 16;
    f.request.options.threads = manyThreads;
    f.request.options.fftEffort = FftEffort::estimate;
    f.request.options.precomputation = Precomputation::polynomial;
    f.request.options.scheduler.kind = Scheduler::tiles;
    f.request.workload.direction = Direction::adjoint;
    Candidate winner = makeCandidate(f.backend, f.request, 1.5, 5, Method::blocked, Method::blocked);
    const Index3 shared = sharedTile(2, winner.grid, 5, manyThreads);
    const std::vector<NufftOptions> tried = refinements(f.request, winner);
    QVERIFY(!tried.empty());
    QCOMPARE(tried.front().bins, shared);
    winner.options.bins = shared;
    for (const NufftOptions& o : refinements(f.request, winner)) QVERIFY(o.bins != shared);
    f.request.effort = TuneEffort::estimate;
    TuneResult r = f.run();
    const Candidate& chosen = r.candidates[std::size_t(r.best)];
    QCOMPARE(chosen.options.bins,
             sharedTile(2, chosen.grid, int(std::ceil(chosen.options.width)), manyThreads));
    f.request.options.threads = 1;
    r = f.run();
    QCOMPARE(r.candidates[std::size_t(r.best)].options.bins, (Index3{0, 0, 0}));
  }

  // Whatever won, all that can still be refined of it has been timed.
  void refinementsAddUp() {
    TuneFixture f(Precision::single, 3, {32, 32, 32});
    f.request.effort = TuneEffort::exhaustive;
    f.request.trials = 1;
    f.request.workload.direction = Direction::forward;
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
    TuneFixture f;
    f.request.options.bins = {8, 8, 1};
    f.request.options.maxSubproblem = 1000;
    Candidate winner = makeCandidate(f.backend, f.request, 1.5, 5, Method::subproblem, Method::tensor);
    winner.backend = "cuda";
    f.request.workload.direction = Direction::both;
    QVERIFY(refinements(f.request, winner).empty());    // tensor cores take no table
    f.request.workload.direction = Direction::adjoint;  // interpolation is then free
    const std::vector<NufftOptions> tables = refinements(f.request, winner);
    QCOMPARE(tables.size(), std::size_t(1));
    QCOMPARE(tables[0].precomputation, Precomputation::linear);
    QCOMPARE(tables[0].interpolate, Method::automatic);
    f.request.options.precomputation = Precomputation::polynomial;
    QVERIFY(refinements(f.request, winner).empty());
  }

  // At 1e-11 a table of a prolate kernel has 13 million values, which took 8 s to compute. At a
  // small alpha, where the image's corners are lifted by much, a table for 7e-7 already takes a
  // second.
  void aTableThatNoCacheHoldsIsNotTried() {
    TuneFixture f(Precision::double64, 3, {32, 32, 32});
    f.request.options.bins = {8, 8, 1};
    f.request.options.maxSubproblem = 1000;
    f.request.workload.direction = Direction::adjoint;
    const auto variants = [&](double accuracy, double alpha, double width) {
      f.request.options.accuracy = accuracy;
      Candidate winner =
          makeCandidate(f.backend, f.request, alpha, width, Method::subproblem, Method::automatic);
      winner.backend = "cuda";
      return refinements(f.request, winner).size();
    };
    QCOMPARE(variants(1e-3, 1.8, 4), std::size_t(1));
    QCOMPARE(variants(1e-11, 1.8, 14), std::size_t(0));
    QCOMPARE(variants(7e-7, 1.17, 12), std::size_t(0));
    // Nor by an exhaustive search, which otherwise times each source of kernel values.
    f.request.effort = TuneEffort::exhaustive;
    const auto tables = [&](double accuracy) {
      f.request.options = {};
      f.request.options.accuracy = accuracy;
      const auto all = enumerateCandidates(f.backends, f.request);
      return std::count_if(all.begin(), all.end(), [](const Candidate& c) {
        return c.options.precomputation == Precomputation::linear;
      });
    };
    QVERIFY(tables(1e-3) > 0);
    QCOMPARE(tables(1e-11), 0);
  }

  void longerCirclesAreTriedWhereTheRatioIsOpen() {
    TuneFixture f;
    Candidate winner;
    winner.backend = "cuda";
    winner.options = f.request.options;
    winner.options.normal = NormalMethod::toeplitz;
    winner.options.toeplitzAlpha = 2;
    f.request.workload.direction = Direction::normal;
    std::set<double> ratios;
    for (const NufftOptions& o : refinements(f.request, winner)) ratios.insert(o.toeplitzAlpha);
    QVERIFY(ratios.size() > 2 && !ratios.contains(0) && !ratios.contains(2));
    f.request.options.toeplitzAlpha = 2;
    QVERIFY(refinements(f.request, winner).empty());
  }
};

SPOKELAB_TEST(TestRefinements)

}  // namespace test_refinements

#include "test_refinements.moc"
