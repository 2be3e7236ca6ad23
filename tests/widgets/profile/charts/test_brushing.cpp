// A rectangle marks plans, in all charts at once; keys go from plan to plan, and the focus is seen.
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QtTest>

#include <set>

#include "tests/patience.h"
#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/error_chart.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/scatter_chart.h"
#include "widgets/profile/charts/time_chart.h"
#include "widgets/profile/explorer_view.h"
#include "widgets/profile/study_chart.h"

namespace test_brushing {

using namespace spokelab;

namespace {

void drag(Chart& chart, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys) {
  QTest::mousePress(&chart, Qt::LeftButton, keys, from);
  for (const QPoint& at : {(from + to) / 2, to}) {
    QMouseEvent event(QEvent::MouseMove, at, chart.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, keys);
    QCoreApplication::sendEvent(&chart, &event);
  }
  QTest::mouseRelease(&chart, Qt::LeftButton, keys, to);
}

// The panel with the scatter in front.
struct Charts {
  ChartPanel panel;
  ScatterChart& scatter = *panel.scatterChart();

  Charts() {
    panel.resize(1600, 400);
    panel.show();
    auto* axis = panel.findChild<QComboBox*>(QStringLiteral("errorAxis"));
    axis->setCurrentIndex(axis->count() - 1);
    TuneResult result;
    result.candidates = sampleSweep();
    result.best = 6;
    panel.setResult(result);
    const int before = panel.repaints();
    while (panel.repaints() == before) QTest::qWait(20);
    for (Chart* chart : std::initializer_list<Chart*>{&scatter, panel.timeChart(), panel.planMap()})
      chart->replot(QCustomPlot::rpImmediateRefresh);
  }
};

std::vector<QPoint> squaresOf(const Chart& chart) {
  std::vector<QPoint> places;
  for (int i = 0; i < chart.itemCount(); ++i)
    if (const auto* mark = qobject_cast<QCPItemTracer*>(chart.item(i)))
      if (mark->style() == QCPItemTracer::tsSquare)
        places.push_back(mark->position->pixelPosition().toPoint());
  return places;
}

// The marked plans that a chart draws, by the places of their squares.
std::vector<int> squared(const Chart& chart) {
  std::vector<int> plans;
  for (const QPoint& at : squaresOf(chart))
    for (int i = 0; i < int(chart.data().candidates.size()); ++i) {
      const QPoint place = chart.positionOf(i);
      if (!place.isNull() && (place - at).manhattanLength() <= 2) plans.push_back(i);
    }
  std::sort(plans.begin(), plans.end());
  return plans;
}

}  // namespace

class TestBrushing : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aRectangleMarksItsPlansInAllCharts() {
    Charts charts;
    ExplorerView explorer;
    explorer.setData(charts.panel.data());
    connect(&charts.panel, &ChartPanel::marked, &explorer, &ExplorerView::setMarked);
    const QRect area(charts.scatter.positionOf(5), charts.scatter.positionOf(10));
    const QRect wide = area.normalized().adjusted(-4, -4, 4, 4);
    std::vector<int> inside;
    for (int i = 0; i < 20; ++i)
      if (wide.contains(charts.scatter.positionOf(i))) inside.push_back(i);
    QVERIFY(inside.size() >= 2 && inside.size() < 20);
    const QCPRange x = charts.scatter.xAxis->range();
    QSignalSpy picked(&charts.panel, &ChartPanel::candidateSelected);
    drag(charts.scatter, wide.bottomRight(), wide.topLeft(), Qt::ControlModifier);
    QCOMPARE(charts.scatter.marked(), inside);
    QCOMPARE(squared(charts.scatter), inside);
    QCOMPARE(squared(*charts.panel.planMap()), inside);
    QCOMPARE(explorer.map()->marked(), inside);
    const auto* note = explorer.findChild<QLabel*>(QStringLiteral("explorerNote"));
    QVERIFY2(note->text().contains(QStringLiteral("%1 plans are marked").arg(inside.size())),
             qPrintable(note->text()));
    // The chart of times draws the fastest of each α alone.
    std::vector<int> drawn;
    for (const int i : inside)
      if (!charts.panel.timeChart()->positionOf(i).isNull()) drawn.push_back(i);
    QCOMPARE(squared(*charts.panel.timeChart()), drawn);
    // It neither zooms nor clicks.
    QCOMPARE(charts.scatter.xAxis->range(), x);
    QCOMPARE(picked.count(), 0);
  }

  void marksAreTakenInAndOutAndGoWithTheirRun() {
    Charts charts;
    QTest::mouseClick(&charts.scatter, Qt::LeftButton, Qt::ControlModifier, charts.scatter.positionOf(7));
    QTest::mouseClick(&charts.scatter, Qt::LeftButton, Qt::ControlModifier, charts.scatter.positionOf(3));
    QCOMPARE(charts.panel.planMap()->marked(), (std::vector<int>{3, 7}));
    QTest::mouseClick(&charts.scatter, Qt::LeftButton, Qt::ControlModifier, charts.scatter.positionOf(7));
    QCOMPARE(charts.panel.planMap()->marked(), std::vector<int>{3});
    TuneResult same;  // timed again: the same plans
    same.candidates = sampleSweep();
    charts.panel.setResult(same);
    QCOMPARE(charts.panel.planMap()->marked(), std::vector<int>{3});
    charts.scatter.setFocus();
    QTest::keyClick(&charts.scatter, Qt::Key_Escape);
    QVERIFY(charts.panel.planMap()->marked().empty());
    charts.panel.setMarked({1, 2});
    charts.panel.clear(1e-3);
    QVERIFY(charts.scatter.marked().empty());
  }

  void aDragWithoutCtrlStillZooms() {
    Charts charts;
    const QRect plot = charts.scatter.axisRect()->rect();
    const double before = charts.scatter.xAxis->range().size();
    drag(charts.scatter, plot.center() - QPoint(50, 40), plot.center() + QPoint(50, 40), Qt::NoModifier);
    QVERIFY(charts.scatter.xAxis->range().size() < before);
    QVERIFY(charts.scatter.marked().empty());
  }

  void keysGoToEveryPlanAndPickIt_data() {
    QTest::addColumn<bool>("scatter");
    QTest::newRow("scatter") << true;
    QTest::newRow("time") << false;
  }
  void keysGoToEveryPlanAndPickIt() {
    QFETCH(bool, scatter);
    Charts charts;
    Chart& chart = scatter ? static_cast<Chart&>(charts.scatter) : *charts.panel.timeChart();
    QSignalSpy picked(&charts.panel, &ChartPanel::candidateSelected),
        chosen(&charts.panel, &ChartPanel::candidateChosen);
    chart.activateWindow();
    chart.setFocus(Qt::TabFocusReason);
    QTRY_VERIFY_WITH_TIMEOUT(chart.hasFocus(), patience);
    QCOMPARE(chart.framed(), 6);  // the tuner's choice
    QVERIFY(!chart.accessibleDescription().isEmpty());
    const QPoint from = chart.positionOf(chart.framed());
    QTest::keyClick(&chart, Qt::Key_Right);
    QVERIFY(chart.positionOf(chart.framed()).x() > from.x());
    std::set<int> seen;
    for (int i = 0; i < 21; ++i) QTest::keyClick(&chart, Qt::Key_PageUp);
    for (int i = 0; i < 21; ++i) {
      seen.insert(chart.framed());
      QTest::keyClick(&chart, Qt::Key_PageDown);
    }
    std::set<int> drawn;
    for (int i = 0; i < 20; ++i)
      if (!chart.positionOf(i).isNull()) drawn.insert(i);
    QCOMPARE(seen, drawn);
    QTest::keyClick(&chart, Qt::Key_Home);
    QCOMPARE(chart.framed(), 6);
    QTest::keyClick(&chart, Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(charts.panel.planMap()->marked(), std::vector<int>{6});
    QTest::keyClick(&chart, Qt::Key_Space);
    QCOMPARE(picked.count(), 1);
    QCOMPARE(picked.front().front().toInt(), 6);
    QCOMPARE(chosen.count(), 0);  // only looked at
    QTest::keyClick(&chart, Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.front().front().toInt(), 6);
    const double range = chart.xAxis->range().size();
    QTest::keyClick(&chart, Qt::Key_Plus);
    QVERIFY(chart.xAxis->range().size() < range);
    QTest::keyClick(&chart, Qt::Key_0);
    QVERIFY(std::abs(chart.xAxis->range().size() - range) < 1e-9 * range);
  }

  void allChartsTakeTheFocusByTabAndShowIt() {
    TimeChart time;
    ErrorChart error;
    ScatterChart scatter;
    PlanMap map;
    StudyChart study;
    for (Chart* chart : std::initializer_list<Chart*>{&time, &error, &scatter, &map, &study}) {
      QVERIFY(chart->focusPolicy() & Qt::TabFocus);
      chart->resize(300, 200);
      chart->show();
      const QImage without = chart->grab().toImage();
      chart->activateWindow();
      chart->setFocus(Qt::TabFocusReason);
      QTRY_VERIFY_WITH_TIMEOUT(chart->hasFocus(), patience);
      const QImage with = chart->grab().toImage();
      const QColor highlight = chart->palette().color(QPalette::Highlight);
      for (const QPoint& at : {QPoint(150, 1), QPoint(1, 100), QPoint(298, 100), QPoint(150, 198)}) {
        QCOMPARE(with.pixelColor(at), highlight);
        QVERIFY(without.pixelColor(at) != highlight);
      }
      chart->hide();
    }
  }
};

SPOKELAB_GUI_TEST(TestBrushing)

}  // namespace test_brushing

#include "test_brushing.moc"
