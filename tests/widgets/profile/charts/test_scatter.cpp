// Error against time: every timed plan has a mark at its numbers, the front is what nothing beats,
// and the charts point at one plan together.
#include <QComboBox>
#include <QSignalSpy>
#include <QtTest>

#include "tests/patience.h"
#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/error_chart.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/run_trace.h"
#include "widgets/profile/charts/scatter_chart.h"
#include "widgets/profile/charts/time_chart.h"

namespace test_scatter {

using namespace spokelab;

namespace {

ProfileData sampleData() {
  ProfileData data;
  data.candidates = samplePaths();
  data.accuracy = 1e-3;
  data.best = 6;
  data.selected = 9;
  return data;
}

std::unique_ptr<ScatterChart> drawn(const ProfileData& data) {
  auto chart = std::make_unique<ScatterChart>();
  chart->resize(600, 400);
  chart->setData(data);
  chart->replot(QCustomPlot::rpImmediateRefresh);
  return chart;
}

// The colour in the middle of a plan's mark.
QColor colourAt(ScatterChart& chart, int candidate) {
  return chart.toPixmap(600, 400).toImage().pixelColor(chart.positionOf(candidate));
}

const QCPGraph* named(const QCustomPlot& chart, const QString& name) {
  for (int i = 0; i < chart.graphCount(); ++i)
    if (chart.graph(i)->name() == name) return chart.graph(i);
  return nullptr;
}

}  // namespace

class TestScatter : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyTimedPlanLiesAtItsTimeAndError() {
    ProfileData data = sampleData();
    data.candidates.push_back(sampleSweep().back());  // refused
    const auto chart = drawn(data);
    for (int i = 0; i < int(data.candidates.size()); ++i) {
      const Candidate& candidate = data.candidates[std::size_t(i)];
      const QPoint at = chart->positionOf(i);
      QCOMPARE(at.isNull(), !candidate.timed());
      if (at.isNull()) continue;
      QVERIFY(std::abs(chart->xAxis->coordToPixel(candidate.cost()) - at.x()) <= 1);
      QVERIFY(std::abs(chart->yAxis->coordToPixel(candidateError(candidate)) - at.y()) <= 1);
      QVERIFY(chart->axisRect()->rect().contains(at));
    }
    QCOMPARE(chart->xAxis->scaleType(), QCPAxis::stLogarithmic);
    QCOMPARE(chart->yAxis->scaleType(), QCPAxis::stLogarithmic);
  }

  void theFrontIsWhatNothingBeats() {
    const ProfileData data = sampleData();
    const std::vector<int> front = paretoFront(data);
    QVERIFY(front.size() > 2);
    for (int i = 0; i < int(data.candidates.size()); ++i) {
      const Candidate& plan = data.candidates[std::size_t(i)];
      bool beaten = false;
      for (const Candidate& other : data.candidates)
        beaten |= other.cost() <= plan.cost() && candidateError(other) <= candidateError(plan) &&
                  (other.cost() < plan.cost() || candidateError(other) < candidateError(plan));
      QCOMPARE(std::find(front.begin(), front.end(), i) != front.end(), !beaten);
    }
    const auto chart = drawn(data);
    QVERIFY(named(*chart, QStringLiteral("Pareto front")));
    QCOMPARE(named(*chart, QStringLiteral("Pareto front"))->dataCount(), int(front.size()));
  }

  void alphaIsTheColourAndThePathTheShape() {
    ProfileData data;
    data.candidates = sampleSweep();
    const auto chart = drawn(data);
    // Plans 0 to 3 have the smallest α, 16 to 19 the largest.
    QCOMPARE(colourAt(*chart, 0), colourAt(*chart, 1));
    QVERIFY(colourAt(*chart, 0) != colourAt(*chart, 17));
    const auto paths = drawn(sampleData());
    QSet<int> shapes;
    for (int i = 0; i < paths->graphCount(); ++i)
      if (!paths->graph(i)->scatterStyle().isNone()) shapes.insert(paths->graph(i)->scatterStyle().shape());
    QVERIFY2(shapes.size() >= 3, qPrintable(QString::number(shapes.size())));
  }

  void anotherRunIsDrawnBehind() {
    ProfileData data = sampleData();
    const int alone = drawn(data)->graphCount();
    TuneResult other;
    other.candidates = sampleSweep();
    for (Candidate& candidate : other.candidates) candidate.timings.total *= 10;
    data.traces = {std::make_shared<const RunTrace>(traceOf(4, QStringLiteral("before"), other, 1e-3))};
    const auto chart = drawn(data);
    QCOMPARE(chart->graphCount(), alone + 1);
    const QCPGraph* trace = named(*chart, QStringLiteral("before"));
    QVERIFY(trace);
    QCOMPARE(trace->dataCount(), 20);  // the refused one has no time
    QVERIFY(chart->xAxis->range().upper > other.candidates[3].timings.total);
  }

  void aClickPicksAndAllChartsPointTogether() {
    ChartPanel panel;
    panel.resize(1600, 300);
    panel.show();
    auto* axis = panel.findChild<QComboBox*>(QStringLiteral("errorAxis"));
    axis->setCurrentIndex(axis->count() - 1);
    panel.addCandidates(sampleSweep());
    QTRY_VERIFY_WITH_TIMEOUT(panel.repaints() > 0, patience);
    ScatterChart& scatter = *panel.scatterChart();
    scatter.replot(QCustomPlot::rpImmediateRefresh);
    constexpr int wanted = 7;
    const QPoint at = scatter.positionOf(wanted);
    QCOMPARE(scatter.candidateAt(at), wanted);
    QSignalSpy picked(&panel, &ChartPanel::candidateSelected), pointed(&panel, &ChartPanel::pointed);
    QTest::mouseClick(&scatter, Qt::LeftButton, {}, at);
    QCOMPARE(picked.count(), 1);
    QCOMPARE(picked.front().front().toInt(), wanted);
    QTest::mouseMove(&scatter, at + QPoint(1, 0));
    QTRY_COMPARE_WITH_TIMEOUT(pointed.count(), 1, patience);
    QCOMPARE(pointed.front().front().toInt(), wanted);
    // The ring of the sliders' place is hidden: there is no place.
    const auto ringOf = [](const Chart& chart) -> const QCPItemTracer* {
      for (int i = 0; i < chart.itemCount(); ++i)
        if (const auto* ring = qobject_cast<QCPItemTracer*>(chart.item(i)); ring && ring->visible())
          return ring;
      return nullptr;
    };
    for (const Chart* chart :
         {static_cast<const Chart*>(panel.planMap()), static_cast<const Chart*>(&scatter)}) {
      const QCPItemTracer* ring = ringOf(*chart);
      QVERIFY(ring);
      const QPointF middle = ring->position->pixelPosition();
      QVERIFY((middle - QPointF(chart->positionOf(wanted))).manhattanLength() <= 2);
    }
    panel.setPointed(-1);
    QVERIFY(!ringOf(*panel.planMap()));
  }
};

SPOKELAB_GUI_TEST(TestScatter)

}  // namespace test_scatter

#include "test_scatter.moc"
