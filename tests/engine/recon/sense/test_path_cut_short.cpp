// An exhaustive search through a field that its time limit ends says so, and does not pass for one that timed all.
#include <QtTest>

#include "tests/engine/recon/sense/field_case.h"
#include "tests/test_main.h"

namespace test_path_cut_short {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double tooShort = 1e-4;  // seconds: the search stops after its first candidate

// The NUFFT's own choices are fixed, so that a whole search takes a moment.
FieldCase exhaustiveCase() {
  std::mt19937 random(8);
  FieldCase c = fieldCase(random, 4, 2e-2);
  TuneRequest& nufft = c.request.nufft;
  nufft.effort = TuneEffort::exhaustive;
  nufft.trials = 1;
  nufft.options.alpha = 1.5;
  nufft.options.spread = nufft.options.interpolate = Method::blocked;
  nufft.options.kernel = KernelType::kaiserBessel;
  nufft.options.precomputation = Precomputation::polynomial;
  return c;
}

FieldCase cutCase() {
  FieldCase c = exhaustiveCase();
  c.request.nufft.timeLimit = tooShort;
  return c;
}

}  // namespace

class TestPathCutShort : public QObject {
  Q_OBJECT

 private slots:
  void theTimeLimitEndsItAndTheReasonSaysSo() {
    FieldCase c = cutCase(), whole = exhaustiveCase();
    const TuneResult cut = search(c), all = search(whole);
    QVERIFY(cut.cutShort && cut.best >= 0 && !all.cutShort);
    QVERIFY2(cut.reason.starts_with("Cut short by the time limit: "), cut.reason.c_str());
    const auto timed = [](const TuneResult& r) {
      return std::ranges::count_if(r.candidates, &Candidate::timed);
    };
    QVERIFY(timed(cut) < timed(all));
  }

  void wisdomTakesItForAShorterSearch() {
    Wisdom wisdom{std::filesystem::path()};
    FieldCase cut = cutCase(), whole = exhaustiveCase(), shorter = exhaustiveCase();
    shorter.request.nufft.effort = TuneEffort::measure;
    QVERIFY(search(cut, &wisdom).cutShort);
    QVERIFY(search(shorter, &wisdom).fromWisdom);
    QVERIFY(!search(whole, &wisdom).fromWisdom);
    QVERIFY(search(cut, &wisdom).fromWisdom);  // of the whole search
  }

  // It counts the ways, and the plans of the segments' NUFFT, which the search times inside.
  void anEstimateCountsWhatIsTimed() {
    Wisdom wisdom{std::filesystem::path()};
    FieldCase whole = exhaustiveCase(), cut = cutCase();
    const auto cpu = makeCpuBackend();
    TransformBackend* one = cpu.get();
    const auto estimate = [&](FieldCase& c) {
      return estimatePaths(std::span<TransformBackend* const>(&one, 1), c.ask(), &wisdom, {});
    };
    const TuneEstimate before = estimate(whole);
    QCOMPARE(wisdom.size(), std::size_t(0));
    QVERIFY(before.seconds > 0 && !before.isRemembered);
    QCOMPARE(estimate(cut).seconds, tooShort);
    const TuneResult found = search(whole, &wisdom);
    int ways = 0;  // more segments of one, where the first were too few, are not known before
    for (const Candidate& c : found.candidates) ways += c.refused.empty();
    QVERIFY2(before.plans > ways && before.plans <= int(found.candidates.size()) + 1,
             QByteArray::number(before.plans) + ' ' + QByteArray::number(ways));
    QVERIFY(estimate(whole).isRemembered);
  }

  void aWholeSearchServesShorterOnes() {
    Wisdom wisdom{std::filesystem::path()};
    FieldCase whole = exhaustiveCase(), shorter = exhaustiveCase();
    shorter.request.nufft.effort = TuneEffort::measure;
    QVERIFY(!search(whole, &wisdom).fromWisdom);
    QVERIFY(search(shorter, &wisdom).fromWisdom);
  }
};

SPOKELAB_TEST(TestPathCutShort)

}  // namespace test_path_cut_short

#include "test_path_cut_short.moc"
