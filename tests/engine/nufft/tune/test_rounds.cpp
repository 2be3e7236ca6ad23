// Repeats that are taken in turns: a burst of load hits all candidates alike, those that may win
// are repeated until their times are known, and memory holds one plan at a time.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include "engine/nufft/tune/repeats.h"
#include "engine/nufft/tune/sweep/rounds.h"
#include "engine/nufft/tune/sweep/sweep.h"
#include "engine/nufft/tune/tune_reason.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_rounds {

using namespace spokelab;
using test::TuneFixture;

namespace {

// Candidates whose times are made up: their α is their name.
class MadeUp {
 public:
  using Seconds = std::function<double(int candidate, int turn)>;  // turn: of all candidates

  MadeUp(int count, Seconds seconds) : seconds_(std::move(seconds)) {
    for (int i = 0; i < count; ++i) {
      RoundEntry entry;
      entry.candidate.backend = "cpu";
      entry.candidate.options.alpha = 1 + i;
      entry.time = [this, i](Candidate& c, const TimingPolicy& policy, const Progress&) {
        firstOnly.push_back(!policy.timesOnly);
        StageTimings t;
        t.total = seconds_(i, int(order.size()));
        order.push_back(i);
        keepRuns({t}, c);
        c.seconds = t.total;
      };
      entries.push_back(std::move(entry));
    }
  }
  void run(const RoundLimits& limits, const std::function<void(const Candidate&)>& seen = {}) {
    timeInRounds(entries, limits, {}, seen);
  }
  const Candidate& operator[](int i) const { return entries[std::size_t(i)].candidate; }
  int turnsOf(int i) const { return int(std::count(order.begin(), order.end(), i)); }

  std::vector<RoundEntry> entries;
  std::vector<int> order;
  std::vector<bool> firstOnly;

 private:
  Seconds seconds_;
};

RoundLimits limits(int repeats = 0) {
  TuneRequest request;
  request.trials = repeats;
  return RoundLimits(request);
}

Candidate timed(std::vector<double> seconds) {
  Candidate c;
  std::vector<StageTimings> runs(seconds.size());
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].total = seconds[i];
  keepRuns(runs, c);
  return c;
}

// Counts the plans that are alive.
template <class Real>
class CountedPlan : public Nufft<Real> {
 public:
  using Complex = typename Nufft<Real>::Complex;
  CountedPlan(std::unique_ptr<Nufft<Real>> plan, int& alive, int& most)
      : plan_(std::move(plan)), alive_(alive) {
    most = std::max(most, ++alive_);
  }
  ~CountedPlan() override { --alive_; }
  const NufftProblem& problem() const override { return plan_->problem(); }
  const PlanInfo& info() const override { return plan_->info(); }
  std::int64_t points() const override { return plan_->points(); }
  void setPoints(const PlanPoints& p) override { plan_->setPoints(p); }
  void forward(const Complex* a, Complex* b, const Execution& e) override { plan_->forward(a, b, e); }
  void adjoint(const Complex* a, Complex* b, const Execution& e) override { plan_->adjoint(a, b, e); }
  void setWeights(std::span<const double> w) override { plan_->setWeights(w); }
  void normal(const Complex* a, Complex* b, const Execution& e) override { plan_->normal(a, b, e); }

 private:
  std::unique_ptr<Nufft<Real>> plan_;
  int& alive_;
};

class CountingAlive : public test::CountingCpuBackend {
 public:
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    return wrapped(
        p, o, [&](auto plan) { return std::make_unique<CountedPlan<float>>(std::move(plan), alive, most); });
  }
  int alive = 0, most = 0;
};

}  // namespace

class TestRounds : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aRoundGoesThroughAllCandidates() {
    MadeUp m(4, [](int i, int) { return 1 + 0.01 * i; });
    m.run(limits());
    QCOMPARE(m.order.size(), std::size_t(4 * RoundLimits::minRepeats));
    QVERIFY((std::vector<int>(m.order.begin(), m.order.begin() + 4) == std::vector<int>{0, 1, 2, 3}));
    for (std::size_t round = 0; round < m.order.size(); round += 4) {
      const auto begin = m.order.begin() + std::ptrdiff_t(round);
      QCOMPARE(std::set<int>(begin, begin + 4).size(), std::size_t(4));
    }
    for (std::size_t turn = 0; turn < m.order.size(); ++turn) QCOMPARE(m.firstOnly[turn], turn < 4);
  }

  // For two thirds of one candidate's repeats, were they taken one after another, other programs
  // make everything twice as slow.
  void aBurstOfLoadDoesNotDecide() {
    for (int begin = 0; begin < 12; ++begin) {
      MadeUp m(3, [&](int i, int turn) {
        return (i == 0 ? 1.0 : 1.2 + 0.01 * i) * (turn >= begin && turn < begin + 4 ? 2 : 1);
      });
      m.run(limits(5));
      for (int i = 0; i < 3; ++i) {
        QCOMPARE(m[i].repeats, 5);
        QCOMPARE(m[i].cost(), i == 0 ? 1.0 : 1.2 + 0.01 * i);
      }
    }
  }

  void whatMayWinIsRepeatedUntilItsTimesAreKnown() {
    // The first two may win; the second's times are far apart.
    MadeUp m(3, [](int i, int turn) { return i == 0 ? 1 : i == 1 ? 1.1 + 0.3 * (turn % 2) : 9; });
    m.run(limits());
    QCOMPARE(m.turnsOf(1), RoundLimits::maxRepeats);
    QCOMPARE(m.turnsOf(0), m.turnsOf(1));  // compared by the same rounds
    QCOMPARE(m.turnsOf(2), RoundLimits::minRepeats);
    QVERIFY(m[1].spread > maxSpread && m[0].spread == 0);
  }

  void asManyRepeatsAsAskedFor() {
    for (const int repeats : {1, 3, 30}) {
      MadeUp m(2, [](int i, int turn) { return 1 + i + turn % 3; });
      int seen = 0;
      m.run(limits(repeats), [&](const Candidate&) { ++seen; });
      QCOMPARE(seen, 2 * repeats);
      for (int i = 0; i < 2; ++i) {
        QCOMPARE(m.turnsOf(i), repeats);
        QCOMPARE(int(m[i].runs.size()), repeats);
        QCOMPARE(isSingleRepeat(m[i]), repeats == 1);
      }
    }
  }

  void whatTheTimeLimitLeavesOutSaysSo() {
    MadeUp m(3, [](int, int) { return 1.0; });
    RoundLimits little = limits();
    little.seconds = 1e-9;
    int seen = 0;
    m.run(little, [&](const Candidate&) { ++seen; });
    QCOMPARE(seen, 3);
    QVERIFY(m[0].timed() && isSingleRepeat(m[0]));
    for (const int i : {1, 2}) QVERIFY(!m[i].timed() && m[i].refused.find("time limit") != std::string::npos);
  }

  void aCandidateThatFailsLaterKeepsItsRepeats() {
    MadeUp m(2, [](int, int) { return 1.0; });
    m.entries[1].time = [calls = 0](Candidate& c, const TimingPolicy&, const Progress&) mutable {
      if (++calls > 2)
        c.refused = "no memory now";
      else
        keepRuns(std::vector<StageTimings>{[] {
                   StageTimings t;
                   t.total = 2;
                   return t;
                 }()},
                 c);
    };
    m.run(limits(5));
    QCOMPARE(m[0].repeats, 5);
    QCOMPARE(m[1].repeats, 2);
    QVERIFY(m[1].refused.empty() && m[1].timed());
  }

  void repeatsRefineWhatWasShown() {
    std::vector<Candidate> shown;
    MadeUp m(3, [](int i, int turn) { return 1 + i + 0.001 * turn; });
    std::size_t afterFirst = 0;
    m.run(limits(4), [&](const Candidate& c) {
      addOrRefine(shown, c);
      if (m.order.size() == 3) afterFirst = shown.size();
    });
    QCOMPARE(afterFirst, std::size_t(3));
    QCOMPARE(shown.size(), std::size_t(3));
    for (int i = 0; i < 3; ++i) QVERIFY(shown[std::size_t(i)].runs == m[i].runs);
  }

  void memoryHoldsOnePlanAtATime() {
    TuneFixture f;
    CountingAlive backend;
    const std::vector<NufftBackend*> backends{&backend};
    SweepRequest s;
    s.base = f.request;
    s.base.trials = 3;
    s.alphas = {1.5, 2};
    s.widths = {3, 4};
    const TuneResult r = sweep(backends, s, {});
    QCOMPARE(r.candidates.size(), std::size_t(4));
    QCOMPARE(backend.plans, 12);
    QCOMPARE(backend.most, 1);
    for (const Candidate& c : r.candidates) {
      QCOMPARE(c.repeats, 3);
      QCOMPARE(medianOf(c.runs), c.timings.total);
      const CostQuartiles q = costQuartiles(c);
      QVERIFY(q.low <= q.median && q.median <= q.high);
      QVERIFY(std::abs(q.median - c.cost()) < 1e-12);
    }
    QVERIFY(r.load.processors > 0);
  }

  void repeatsThatShowNoDifferenceTie() {
    const Candidate winner = timed({1.00, 1.02, 0.98, 1.01, 1.03});
    QVERIFY(tiesWith(timed({1.01, 1.00, 1.04, 0.99, 1.02}), winner));
    QVERIFY(!tiesWith(timed({1.21, 1.20, 1.24, 1.19, 1.22}), winner));
    // Few repeats show nothing: what is close ties, what is far does not.
    QVERIFY(tiesWith(timed({1.04}), timed({1})));
    QVERIFY(!tiesWith(timed({1.2}), timed({1})));
    QVERIFY(!tiesWith(Candidate(), winner));
  }

  void tiesAreCalledTies() {
    TuneResult result;
    result.candidates = {timed({1.00, 1.02, 0.98, 1.01, 1.03}), timed({1.01, 1.005, 1.04, 0.99, 1.021}),
                         timed({1.31, 1.30, 1.34, 1.29, 1.32})};
    for (std::size_t i = 0; i < 3; ++i) result.candidates[i].options.alpha = 1.25 + 0.25 * double(i);
    TuneRequest request;
    result.best = fastest(result, request);
    QCOMPARE(result.best, 0);
    std::string reason = reasonFor(result, request);
    QVERIFY2(reason.find("Fastest of 3 timed plans, tied with α 1.5") == 0, reason.c_str());
    QVERIFY2(reason.find("at most ") != std::string::npos, reason.c_str());
    result.candidates.erase(result.candidates.begin() + 1);
    reason = reasonFor(result, request);
    QVERIFY2(reason.find("30% ahead of α 1.75") != std::string::npos, reason.c_str());
    QVERIFY(reason.find("tied") == std::string::npos);
    QCOMPARE(behindOf(result, request), 0.0);
  }

  // Load is not chance: it favours some plans over others, which a test of the repeats cannot know.
  void onABusyMachineTheQuartilesCountAsWell() {
    TuneResult result;
    std::vector<double> winner, other;  // enough that their test knows the medians well
    for (int i = 0; i < 24; ++i) {
      winner.push_back(i % 2 == 0 ? 1.0 : 1.5);
      other.push_back(i % 2 == 0 ? 1.6 : 1.4);
    }
    result.candidates = {timed(winner), timed(other)};
    TuneRequest request;
    result.best = 0;
    result.load = {1, 1, 0, 2};
    const double quiet = behindOf(result, request);
    result.load.others = 1.5;
    const double busy = behindOf(result, request);
    QVERIFY(std::abs(busy - (1.5 / 1.4 - 1)) < 1e-9);
    QVERIFY2(quiet < busy, QByteArray::number(quiet));
    QVERIFY(reasonFor(result, request).find("at most 7% slower than the best") != std::string::npos);
  }

  // The fastest repeat of a plan that was disturbed in most rounds shows its possible speed.
  void onABusyMachineTheFastestRepeatOfAnotherCounts() {
    TuneResult result;
    result.candidates = {timed({1.30, 1.31, 1.29, 1.30, 1.32}), timed({1.41, 1.40, 1.0, 1.42, 1.43})};
    TuneRequest request;
    result.best = 0;
    result.load = {2, 2, 1.5, 2};
    QVERIFY(std::abs(behindOf(result, request) - 0.32) < 1e-9);
    // Too few for any test, not for their extremes.
    result.candidates = {timed({1.2, 1.0, 1.1}), timed({1.25, 1.15, 0.9})};
    QVERIFY(std::abs(behindOf(result, request) - (1.2 / 0.9 - 1)) < 1e-9);
    result.load.others = 0;
    QVERIFY(behindOf(result, request) < 0);  // on a quiet machine nothing is said
    result.load.others = 1.5;
    result.candidates = {timed({1.0}), timed({1.1})};
    QVERIFY(behindOf(result, request) < 0);
  }

  // However slow the plans are, those that may win have the repeats that a verdict needs.
  void plansThatMayWinHaveTheirRepeatsAfterTheTime() {
    MadeUp m(3, [](int i, int turn) { return i == 2 ? 3.0 : 1 + 0.1 * i + 0.001 * turn; });
    for (RoundEntry& entry : m.entries)
      entry.time = [inner = entry.time](Candidate& c, const TimingPolicy& policy, const Progress& progress) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        inner(c, policy, progress);
      };
    RoundLimits some = limits();
    some.minRefineSeconds = 0;  // as long again as the first round: the second one, or less
    m.run(some);
    QCOMPARE(m.turnsOf(0), RoundLimits::minRepeats);
    QCOMPARE(m.turnsOf(1), RoundLimits::minRepeats);
    QVERIFY(m.turnsOf(2) < RoundLimits::minRepeats);
  }

  void theStatedIntervalHoldsTheTruth() {
    const Candidate winner = timed({1.00, 1.02, 0.98, 1.01, 1.03}),
                    other = timed({1.01, 1.00, 1.04, 0.97, 1.02});
    const double behind = mayBeSlowerBy(winner, {&other});
    QVERIFY(behind > 0 && behind < 0.1);
    const Candidate slow = timed({3});
    QCOMPARE(mayBeSlowerBy(winner, {&slow}), 0.0);  // too far away to matter
    const Candidate few = timed({1.01});
    QVERIFY(mayBeSlowerBy(winner, {&few}) < 0);
  }
};

SPOKELAB_CORE_TEST(TestRounds)

}  // namespace test_rounds

#include "test_rounds.moc"
