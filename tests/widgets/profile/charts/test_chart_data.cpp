// The arrangement of candidates along the charts' axes.
#include <QtTest>

#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/core/number_text.h"
#include "widgets/profile/runs/profile_data.h"

namespace test_chart_data {

using namespace spokelab;

class TestChartData : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachAlphaShowsItsFastestPlanThatMeetsTheAccuracy() {
    ProfileData data;
    data.candidates = sampleSweep();
    data.accuracy = 1e-3;
    const auto indices = fastestForEachAlpha(data);
    QVERIFY(!indices.empty());
    double alpha = 0;
    for (int i : indices) {
      const Candidate& shown = data.candidates[std::size_t(i)];
      QVERIFY(shown.options.alpha > alpha);
      alpha = shown.options.alpha;
      QVERIFY(shown.predicted.relativeL2 <= data.accuracy);
      for (const Candidate& other : data.candidates) {
        if (other.options.alpha != alpha || !other.timed() || other.predicted.relativeL2 > data.accuracy)
          continue;
        QVERIFY(shown.timings.total <= other.timings.total);
      }
    }
  }

  void whereNothingMeetsTheAccuracyEachAlphaStillShows() {
    ProfileData data;
    data.candidates = sampleSweep();
    data.accuracy = 1e-12;
    QCOMPARE(fastestForEachAlpha(data).size(), std::size_t(5));
  }

  void aGriddedNormalPlanIsJudgedByBothItsTransforms() {
    Candidate plan = sampleCandidate(1.5, 4);
    const double accuracy = 1.25 * plan.predicted.relativeL2;
    QVERIFY(meetsAccuracy(plan, accuracy));
    plan.options.normal = NormalMethod::gridded;
    QVERIFY(!meetsAccuracy(plan, accuracy));
    QVERIFY(meetsAccuracy(plan, 2 * accuracy));
    // The error of its own points, where the tuner looked at them, counts instead.
    plan.predictedNormalError = accuracy;
    QVERIFY(meetsAccuracy(plan, accuracy));
  }

  void untimedAndRefusedCandidatesHaveNoTime() {
    ProfileData data;
    Candidate untimed = sampleCandidate(1.5, 4);
    untimed.timings = {};
    data.candidates = {untimed, sampleSweep().back()};
    QVERIFY(fastestForEachAlpha(data).empty());
  }

  void aSweepMakesOneLineForEachAlphaOverTheWidth() {
    ProfileData data;
    data.candidates = sampleSweep();
    const auto groups = families(data, Along::width);
    QCOMPARE(groups.size(), std::size_t(5));
    for (const Family& family : groups) {
      QVERIFY(family.line);
      QCOMPARE(family.members.size(), std::size_t(4));
    }
    QCOMPARE(clearerAxis(data), Along::width);
  }

  void candidatesWithAWidthOfTheirOwnArePointsOverAlpha() {
    ProfileData data;
    data.candidates = {sampleCandidate(1.25, 5.3), sampleCandidate(1.5, 4.6), sampleCandidate(2, 4.1)};
    const auto groups = families(data, Along::alpha);
    QCOMPARE(groups.size(), std::size_t(1));
    QVERIFY(!groups.front().line);
    QCOMPARE(groups.front().members.size(), std::size_t(3));
    QCOMPARE(clearerAxis(data), Along::alpha);
  }

  void quantitiesReadAsPeopleWriteThem() {
    QCOMPARE(secondsLabel(8.5e-4), QStringLiteral("850 µs"));
    QCOMPARE(secondsLabel(0.01234), QStringLiteral("12.3 ms"));
    QCOMPARE(secondsLabel(4.2), QStringLiteral("4.20 s"));
    QCOMPARE(secondsLabel(200), QStringLiteral("3 min 20 s"));
    QCOMPARE(bytesLabel(999), QStringLiteral("999 B"));
    QCOMPARE(bytesLabel(12'345'678), QStringLiteral("12.3 MB"));
    QCOMPARE(numberLabel(1.25, 4), QStringLiteral("1.25"));
    QCOMPARE(numberLabel(100, 0), QStringLiteral("100"));
    QCOMPARE(sizeLabel({256, 128, 1}), QStringLiteral("256 × 128"));
    QCOMPARE(percentLabel(0.42), QStringLiteral("42 %"));
  }
};

SPOKELAB_TEST(TestChartData)

}  // namespace test_chart_data

#include "test_chart_data.moc"
