// Plans that are marked in one chart of the window are marked in all of them and in the explorer, as
// long as their run is shown.
#include <QComboBox>
#include <QPushButton>

#include "app/gui/session/session.h"
#include "tests/app/gui/workbench.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/scatter_chart.h"
#include "widgets/profile/charts/time_chart.h"
#include "widgets/profile/explorer_view.h"

namespace test_marked_plans {

using namespace spokelab;

namespace {

// Times and errors as a sweep over α and W has them, with repeats that lie apart.
TuneResult madeUpSweep() {
  TuneResult result;
  for (const double alpha : {1.25, 1.375, 1.5, 1.75, 2.0})
    for (const double width : {3.0, 4.0, 5.0, 6.0, 7.0}) {
      Candidate c;
      c.backend = "cpu";
      c.options.alpha = alpha;
      c.options.width = width;
      c.predicted.relativeL2 = std::pow(10, -width * (1 - 0.5 / alpha) * 1.3);
      c.timings[Stage::spread] = 1e-3 * width * width;
      c.timings[Stage::fft] = 4e-3 * alpha * alpha * alpha;
      c.timings.total = c.timings.accounted();
      for (const double share : {0.96, 0.98, 1.0, 1.03, 1.08}) c.runs.push_back(share * c.timings.total);
      c.repeats = int(c.runs.size());
      result.candidates.push_back(std::move(c));
    }
  result.best = 7;
  result.reason = "made up";
  return result;
}

void drag(Chart& chart, const QPoint& from, const QPoint& to) {
  QTest::mousePress(&chart, Qt::LeftButton, Qt::ControlModifier, from);
  for (const QPoint& at : {(from + to) / 2, to}) {
    QMouseEvent event(QEvent::MouseMove, at, chart.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                      Qt::ControlModifier);
    QCoreApplication::sendEvent(&chart, &event);
  }
  QTest::mouseRelease(&chart, Qt::LeftButton, Qt::ControlModifier, to);
}

}  // namespace

class TestMarkedPlans : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void chartsMapAndExplorerAreLinked() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    ChartPanel& panel = *bench.window.views().charts;
    PlanMap& explored = *bench.window.views().explorer->map();
    bench.session.setProfile(madeUpSweep(), 1e-3);
    auto* axis = panel.findChild<QComboBox*>(QStringLiteral("errorAxis"));
    axis->setCurrentIndex(axis->count() - 1);
    QTRY_COMPARE_WITH_TIMEOUT(explored.data().candidates.size(), std::size_t(25), patience);
    QTest::qWait(300);  // charts are painted a little later
    ScatterChart& scatter = *panel.scatterChart();
    const QRect area = QRect(scatter.positionOf(6), scatter.positionOf(18)).normalized();
    drag(scatter, area.topLeft() - QPoint(3, 3), area.bottomRight() + QPoint(3, 3));
    const std::vector<int> marked = scatter.marked();
    QVERIFY(marked.size() > 1 && marked.size() < 25);
    QCOMPARE(explored.marked(), marked);
    QCOMPARE(panel.planMap()->marked(), marked);
    QCOMPARE(panel.timeChart()->marked(), marked);
    QTest::qWait(100);
    keepPicture(panel, "marked-plans");
    // From the explorer's map, too.
    drag(explored, explored.positionOf(0) - QPoint(3, 3), explored.positionOf(0) + QPoint(3, 3));
    QCOMPARE(scatter.marked(), std::vector<int>{0});
    // Their images are made with exactly these plans, and are results.
    panel.setMarked({3, 18});
    auto* images = bench.window.findChild<QPushButton*>(QStringLiteral("explorerImages"));
    QVERIFY(images->isVisibleTo(bench.window.views().explorer) && images->isEnabled());
    const int before = bench.results().rowCount();
    images->click();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), before + 2, patience);
    std::vector<double> ratios;
    for (const HistoryEntry& entry : bench.session.results().entries())
      ratios.push_back(entry.result->plan.options.alpha);
    for (const int plan : {3, 18}) {
      const double wanted = panel.data().candidates[std::size_t(plan)].options.alpha;
      QVERIFY(std::find(ratios.begin(), ratios.end(), wanted) != ratios.end());
    }
    panel.setMarked({0, 1, 2, 3, 4, 5, 6});
    QVERIFY(!images->isEnabled() && images->toolTip().contains(QStringLiteral("7 plans")));
    panel.setMarked({});
    QVERIFY(!images->isVisibleTo(bench.window.views().explorer));
    // Another run's plans are others.
    TuneResult other = madeUpSweep();
    other.candidates.resize(10);
    bench.session.setProfile(other, 1e-3);
    QTRY_VERIFY_WITH_TIMEOUT(scatter.marked().empty() && explored.marked().empty(), patience);
  }
};

SPOKELAB_WINDOW_TEST(TestMarkedPlans)

}  // namespace test_marked_plans

#include "test_marked_plans.moc"
