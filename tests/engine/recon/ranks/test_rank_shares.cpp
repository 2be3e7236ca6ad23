// What is divided over ranks: evenly, or by their speed, and along the axis that leaves ranks waiting least.
#include <QtTest>

#include <numeric>

#include "engine/core/error.h"
#include "engine/recon/ranks/rank_share.h"
#include "engine/recon/ranks/rank_speed.h"
#include "tests/engine/nufft/forwarding_nufft.h"
#include "tests/engine/recon/ranks/other_processor.h"
#include "tests/engine/recon/ranks/thread_ranks.h"
#include "tests/test_main.h"

namespace test_rank_shares {

using namespace spokelab;
using namespace spokelab::test;

namespace {

std::vector<double> alike(int ranks) {
  return std::vector<double>(std::size_t(ranks), 1);
}

// A transform that takes ten times as long.
class SlowNufft final : public ForwardingNufft {
 public:
  using ForwardingNufft::ForwardingNufft;
  void adjoint(const cfloat* samples, cfloat* image, const Execution& e) override {
    for (int i = 0; i < 10; ++i) plan_->adjoint(samples, image, e);
  }
};

class SlowProcessor final : public OtherProcessor {
 public:
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    AnyNufft plan = OtherProcessor::makePlan(p, o);
    if (p.precision == Precision::double64) return plan;
    return std::make_unique<SlowNufft>(std::get<std::unique_ptr<Nufft<float>>>(std::move(plan)));
  }
};

}  // namespace

class TestRankShares : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void sharesCoverAllAndAreEven() {
    for (int ranks = 1; ranks <= 9; ++ranks)
      for (int count = ranks; count < 30; ++count) {
        std::vector<int> all;
        for (const std::vector<int>& share : rankShares(count, alike(ranks))) {
          QVERIFY(int(share.size()) >= count / ranks && int(share.size()) <= (count + ranks - 1) / ranks);
          all.insert(all.end(), share.begin(), share.end());
        }
        std::vector<int> wanted(std::size_t(count), 0);
        std::iota(wanted.begin(), wanted.end(), 0);
        QVERIFY(all == wanted);
      }
  }

  // A rank that is three times as fast gets three times as much; a slow one gets something, too.
  void fasterRanksGetMore() {
    const auto sizes = [](int count, const std::vector<double>& speeds) {
      std::vector<int> all;
      for (const auto& share : rankShares(count, speeds)) all.push_back(int(share.size()));
      return all;
    };
    QCOMPARE(sizes(12, {1, 0.5, 0.5}), (std::vector<int>{6, 3, 3}));
    QCOMPARE(sizes(8, {0.25, 0.75}), (std::vector<int>{2, 6}));
    QCOMPARE(sizes(4, {1, 0.01}), (std::vector<int>{3, 1}));
    QVERIFY((rankShares(5, {0.5, 1}) == std::vector<std::vector<int>>{{0, 1}, {2, 3, 4}}));
    // Of 2 frames the slow rank would have one: all would wait for it.
    QVERIFY(rankAxis({2, 1, 8}, {1, 0.25}) == RankAxis::coils);
  }

  // Only where processors are of different kinds; all ranks know the same.
  void speedsAreMeasured() {
    for (const bool unequal : {false, true}) {
      std::vector<std::vector<double>> known(3);
      const auto ends = runOnThreads(3, [&](Ranks& r, const Progress& progress) {
        std::unique_ptr<Backend> backend = makeCpuBackend();
        if (unequal && r.rank() == 1) backend = std::make_unique<SlowProcessor>();
        known[std::size_t(r.rank())] = rankSpeeds(r, *backend, 1, progress);
      });
      for (const RankEnd& end : ends) QVERIFY2(end.done, end.error ? end.error->what() : "not done");
      QVERIFY(known[1] == known[0] && known[2] == known[0]);
      if (!unequal) {
        QVERIFY(known[0] == alike(3));
        continue;
      }
      QCOMPARE(known[0][0], 1.0);
      QCOMPARE(known[0][2], 1.0);
      QVERIFY2(known[0][1] > 0 && known[0][1] < 0.75, std::to_string(known[0][1]).c_str());
    }
  }

  void theAxisThatLeavesRanksWaitingLeast() {
    QVERIFY(rankAxis({8, 8, 8}, alike(4)) == RankAxis::frames);
    QVERIFY(rankAxis({1, 8, 8}, alike(4)) == RankAxis::slices);
    QVERIFY(rankAxis({1, 1, 8}, alike(4)) == RankAxis::coils);
    QVERIFY(rankAxis({3, 1, 32}, alike(4)) == RankAxis::coils);
    QVERIFY(rankAxis({5, 1, 32}, alike(4)) == RankAxis::coils);  // 2 of 4 rounds would wait
    QVERIFY(rankAxis({7, 1, 32}, alike(4)) == RankAxis::frames);
    QVERIFY(rankAxis({1, 1, 3, 8}, alike(4)) == RankAxis::slabs);
    QVERIFY(rankAxis({1, 1, 4, 8}, alike(4)) == RankAxis::coils);
    QVERIFY_THROWS_EXCEPTION(Error, rankAxis({3, 3, 3}, alike(4)));
  }
};

SPOKELAB_TEST(TestRankShares)

}  // namespace test_rank_shares

#include "test_rank_shares.moc"
