// A cell of the map never contradicts the chart of times: over thousands of runs drawn at random,
// with several paths, variants of one plan, equal times, plans that were refused, not timed or too
// inaccurate, any choice of the tuner and any plan shown.
#include <QtTest>

#include <random>

#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/time_chart.h"

namespace test_map_and_times {

using namespace spokelab;

namespace {

constexpr int runs = 3000, drawnRuns = 40;

class RandomRuns {
 public:
  explicit RandomRuns(unsigned seed) : random_(seed) {}

  ProfileData next() {
    ProfileData data;
    const bool paths = below(2);
    for (int i = 0, count = 1 + below(24); i < count; ++i) data.candidates.push_back(candidate(paths));
    // Nothing asked for, what some meet, and what none does.
    data.accuracy = std::array{0.0, 1e-1, 1e-3, 1e-4, 1e-12}[std::size_t(below(5))];
    data.best = below(3) ? below(int(data.candidates.size())) : -1;
    data.selected = below(3) ? below(int(data.candidates.size())) : -1;
    return data;
  }

 private:
  int below(int count) { return std::uniform_int_distribution(0, count - 1)(random_); }

  Candidate candidate(bool paths) {
    constexpr std::array alphas{1.25, 1.5, 2.0};
    constexpr double noise = 1e-12;  // of an α that is computed in two ways
    const double alpha = alphas[std::size_t(below(3))] + noise * below(2), width = 3 + 0.5 * below(6);
    Candidate c = paths && below(3) == 0 ? sampleToeplitz(below(2) ? 2 + 0.25 * below(2) : 0)
                  : paths                ? sampleNormal(alpha, width)
                                         : sampleCandidate(alpha, width);
    if (below(3) == 0) c.options.spread = c.options.interpolate = Method::sparse;
    if (below(3) == 0) c.options.kernel = KernelType::semicircle;
    c.timings.total *= std::array{0.3, 1.0, 1.0, 1.5}[std::size_t(below(4))];
    if (c.seconds > 0) c.seconds = c.timings.total;
    c.predicted.relativeL2 *= std::array{0.1, 1.0, 30.0}[std::size_t(below(3))];
    c.measuredError = c.predicted.relativeL2 * (1 + below(2));
    if (below(8) == 0) {
      c.timings = {};
      c.seconds = 0;
      c.measuredError.reset();
      if (below(2)) c.refused = "its error would be as large as the signal";
    }
    return c;
  }

  std::mt19937 random_;
};

const Candidate& at(const ProfileData& data, int index) {
  return data.candidates[std::size_t(index)];
}

bool inOneColumn(const Candidate& a, const Candidate& b) {
  const CandidatePath left = pathOf(a), right = pathOf(b);
  return left.name == right.name && alphaStep(left.alpha) == alphaStep(right.alpha);
}

}  // namespace

class TestMapAndTimes : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void thePlanOfABarIsThatOfItsCell_data() {
    QTest::addColumn<PlanRows>("rows");
    QTest::newRow("W") << PlanRows::width;
    QTest::newRow("implementation") << PlanRows::implementation;
    QTest::newRow("kernel") << PlanRows::kernel;
    QTest::newRow("precomputation") << PlanRows::precomputation;
    QTest::newRow("path") << PlanRows::path;
  }
  void thePlanOfABarIsThatOfItsCell() {
    QFETCH(const PlanRows, rows);
    RandomRuns random(19);
    int bars = 0;
    for (int run = 0; run < runs; ++run) {
      const ProfileData data = random.next();
      const std::vector<int> drawn = fastestForEachAlpha(data);
      for (const PlanQuantity quantity : {PlanQuantity::time, PlanQuantity::error, PlanQuantity::memory}) {
        const PlanCells map = arrangePlans(data, rows, quantity, {});
        for (const int bar : drawn) {
          QCOMPARE(map.cells.at(map.placeOf(at(data, bar), rows)), bar);
          ++bars;
          // No cell of its column claims a faster plan that would do.
          if (bar == data.best) continue;
          for (const auto& [place, shown] : map.cells) {
            const Candidate& other = at(data, shown);
            if (!inOneColumn(at(data, bar), other) || !other.timed()) continue;
            QVERIFY(meetsAccuracy(other, data.accuracy) <= meetsAccuracy(at(data, bar), data.accuracy));
            if (meetsAccuracy(other, data.accuracy)) QVERIFY(at(data, bar).cost() <= other.cost());
          }
        }
        // A cell hides no measurement behind a prediction.
        for (int i = 0; i < int(data.candidates.size()); ++i)
          if (at(data, i).timed()) QVERIFY(at(data, map.cells.at(map.placeOf(at(data, i), rows))).timed());
      }
    }
    QVERIFY(bars > runs);
  }

  void bothPickTheSamePlan() {
    RandomRuns random(5);
    TimeChart time;
    PlanMap map;
    for (Chart* chart : {static_cast<Chart*>(&time), static_cast<Chart*>(&map)}) {
      chart->resize(900, 500);
      chart->show();
    }
    for (int run = 0; run < drawnRuns; ++run) {
      const ProfileData data = random.next();
      for (Chart* chart : {static_cast<Chart*>(&time), static_cast<Chart*>(&map)}) {
        chart->setData(data);
        chart->replot(QCustomPlot::rpImmediateRefresh);
      }
      for (const int bar : fastestForEachAlpha(data)) {
        QVERIFY(!time.positionOf(bar).isNull());
        QCOMPARE(map.candidateAt(map.positionOf(bar)), bar);
      }
    }
  }
};

SPOKELAB_GUI_TEST(TestMapAndTimes)

}  // namespace test_map_and_times

#include "test_map_and_times.moc"
