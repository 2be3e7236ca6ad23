// An exhaustive search through a field that its time limit ends says so, and does not pass for one that timed all.
#include <QtTest>

#include "tests/engine/recon/sense/field_case.h"
#include "tests/test_main.h"

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

  void aWholeSearchServesShorterOnes() {
    Wisdom wisdom{std::filesystem::path()};
    FieldCase whole = exhaustiveCase(), shorter = exhaustiveCase();
    shorter.request.nufft.effort = TuneEffort::measure;
    QVERIFY(!search(whole, &wisdom).fromWisdom);
    QVERIFY(search(shorter, &wisdom).fromWisdom);
  }
};

SPOKELAB_TEST(TestPathCutShort)
#include "test_path_cut_short.moc"
