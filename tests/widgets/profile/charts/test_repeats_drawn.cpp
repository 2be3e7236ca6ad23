// Times are drawn with what their repeats say: quartiles as bars of error, a hollow mark for what
// was timed once, a note where the machine was busy; ties are called ties; repeats refine what is
// shown.
#include <QtTest>

#include "engine/nufft/tune/repeats.h"
#include "engine/nufft/tune/timing.h"
#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/core/candidate_text.h"
#include "widgets/profile/charts/chart_export.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/scatter_chart.h"
#include "widgets/profile/charts/time_chart.h"
#include "widgets/profile/study_chart.h"

namespace test_repeats_drawn {

using namespace spokelab;

namespace {

// Repeats around the sample's time, so far apart.
Candidate repeated(Candidate c, double spread, int repeats) {
  const StageTimings one = c.timings;
  std::vector<StageTimings> runs(std::size_t(repeats), one);
  for (int i = 0; i < repeats; ++i)
    runs[std::size_t(i)].total = one.total * (1 + spread * (i - (repeats - 1) / 2.0) / repeats);
  keepRuns(runs, c);
  c.seconds = c.timings.total;
  return c;
}

ProfileData sweep(double spread, int repeats) {
  ProfileData data;
  for (const double alpha : {1.25, 1.5, 2.0})
    data.candidates.push_back(repeated(sampleCandidate(alpha, 4), spread, repeats));
  data.best = 0;
  return data;
}

void show(Chart& chart, const ProfileData& data) {
  chart.resize(620, 420);
  chart.show();
  chart.setData(data);
  chart.replot(QCustomPlot::rpImmediateRefresh);
}

std::vector<QCPErrorBars*> errorBars(QCustomPlot& plot) {
  std::vector<QCPErrorBars*> bars;
  for (int i = 0; i < plot.plottableCount(); ++i)
    if (auto* found = qobject_cast<QCPErrorBars*>(plot.plottable(i))) bars.push_back(found);
  return bars;
}

const QCPGraph* graphNamed(QCustomPlot& plot, const QString& name) {
  for (int i = 0; i < plot.graphCount(); ++i)
    if (plot.graph(i)->name() == name) return plot.graph(i);
  return nullptr;
}

}  // namespace

class TestRepeatsDrawn : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void quartilesAreBarsOfError() {
    const ProfileData data = sweep(0.4, 9);
    TimeChart chart;
    show(chart, data);
    const auto bars = errorBars(chart);
    QCOMPARE(bars.size(), std::size_t(1));
    QCOMPARE(bars[0]->data()->size(), 3);
    for (int i = 0; i < 3; ++i) {
      const CostQuartiles q = costQuartiles(data.candidates[std::size_t(i)]);
      const double milli = 1e3;
      QVERIFY(std::abs(bars[0]->data()->at(i).errorMinus - (q.median - q.low) * milli) < 1e-6);
      QVERIFY(std::abs(bars[0]->data()->at(i).errorPlus - (q.high - q.median) * milli) < 1e-6);
      QVERIFY(bars[0]->data()->at(i).errorPlus > 0);
    }
    QVERIFY(!graphNamed(chart, QStringLiteral("timed once")));
    QVERIFY(chart.detailsOf(0).contains(QStringLiteral("quartiles of 9 repeats")));
  }

  // Seen before, with several paths: each bar had the repeats of the plan beside it.
  void quartilesBelongToTheirPlanInAnyOrder() {
    ProfileData data;
    for (const bool segmented : {false, true})
      for (const double alpha : {2.0, 1.25, 1.5}) {
        Candidate plan = sampleCandidate(alpha, 4);
        plan.timings.total *= segmented ? 1.7 : 1;
        if (segmented) plan.path.transform = TransformKind::segmented;
        data.candidates.push_back(repeated(plan, (segmented ? 0.3 : 0.1) * alpha, 9));
      }
    data.best = 0;
    TimeChart times;
    ScatterChart scatter;
    for (Chart* chart : {static_cast<Chart*>(&times), static_cast<Chart*>(&scatter)}) {
      show(*chart, data);
      const bool along = chart == &scatter;
      const double unit = along ? 1 : 1e3;
      const auto bars = errorBars(*chart);
      QCOMPARE(bars.size(), std::size_t(1));
      const auto* middles = qobject_cast<const QCPGraph*>(bars[0]->dataPlottable());
      int found = 0;
      for (int i = 0; i < middles->dataCount(); ++i) {
        const double at = (along ? middles->dataMainKey(i) : middles->dataMainValue(i)) / unit;
        for (const Candidate& plan : data.candidates) {
          if (std::abs(plan.cost() - at) > 1e-9 * at) continue;
          const CostQuartiles q = costQuartiles(plan);
          QVERIFY(std::abs(bars[0]->data()->at(i).errorMinus - (at - q.low) * unit) < 1e-9 * unit);
          QVERIFY(std::abs(bars[0]->data()->at(i).errorPlus - (q.high - at) * unit) < 1e-9 * unit);
          ++found;
        }
      }
      QVERIFY2(found >= 5, qPrintable(QString::number(found)));
    }
  }

  void whatWasTimedOnceIsHollow() {
    ProfileData data = sweep(0.4, 9);
    data.candidates[1] = repeated(sampleCandidate(1.5, 4), 0, 1);
    TimeChart chart;
    show(chart, data);
    QCOMPARE(errorBars(chart)[0]->data()->size(), 2);
    const QCPGraph* once = graphNamed(chart, QStringLiteral("timed once"));
    QVERIFY(once && once->data()->size() == 1);
    QCOMPARE(once->data()->at(0)->key, 1.5);
    QCOMPARE(once->scatterStyle().brush().color(), ChartTheme::onScreen().background);
    QVERIFY(chart.detailsOf(1).contains(QStringLiteral("timed once")));
  }

  void quartilesLieAlongTheTimeInTheScatter() {
    ProfileData data = sweep(0.4, 9);
    data.candidates[1] = repeated(sampleCandidate(1.5, 4), 0, 1);
    ScatterChart chart;
    show(chart, data);
    const auto bars = errorBars(chart);
    QCOMPARE(bars.size(), std::size_t(1));
    QCOMPARE(bars[0]->errorType(), QCPErrorBars::etKeyError);
    QCOMPARE(bars[0]->data()->size(), 2);
    int bar = 0;
    for (const std::size_t i : {0, 2}) {
      const CostQuartiles q = costQuartiles(data.candidates[i]);
      QVERIFY(std::abs(bars[0]->data()->at(bar).errorMinus - (q.median - q.low)) < 1e-9);
      QVERIFY(std::abs(bars[0]->data()->at(bar).errorPlus - (q.high - q.median)) < 1e-9);
      QVERIFY(chart.xAxis->range().contains(q.low) && chart.xAxis->range().contains(q.high));
      ++bar;
    }
    const QCPGraph* once = graphNamed(chart, QStringLiteral("timed once"));
    QVERIFY(once && once->data()->size() == 1);
    QCOMPARE(once->data()->at(0)->key, data.candidates[1].cost());
  }

  void quartilesAreDrawnInStudiesWhereRepeatsAreKnown() {
    StudyChart chart;
    chart.resize(620, 420);
    std::vector<StudyRow> rows(3);
    for (int i = 0; i < 3; ++i) {
      StudyRow& row = rows[std::size_t(i)];
      row.series = "cpu";
      row.x = i;
      row.y = 10 + i;
    }
    rows[1].yLow = 9;
    rows[1].yHigh = 14;
    StudyAxes axes;
    axes.x = "threads";
    axes.y = "ms";
    chart.setRows(axes, rows, "");
    const auto bars = errorBars(chart);
    QCOMPARE(bars.size(), std::size_t(1));
    QCOMPARE(bars[0]->data()->size(), 1);
    QCOMPARE(bars[0]->data()->at(0).errorMinus, 2.0);
    QCOMPARE(bars[0]->data()->at(0).errorPlus, 3.0);
    QCOMPARE(chart.lines(), 1);
    QVERIFY(chart.detailsOf(1).contains(QStringLiteral("quartiles of repeats: 9 to 14")));
    QVERIFY(!chart.detailsOf(0).contains(QStringLiteral("quartiles")));
    QVERIFY(!graphNamed(chart, QStringLiteral("timed once")));
    QVERIFY(!chart.legend->visible());
  }

  void singleRepeatsAreHolesInStudies() {
    StudyChart chart;
    chart.resize(620, 420);
    std::vector<StudyRow> rows(3);
    for (int i = 0; i < 3; ++i) {
      StudyRow& row = rows[std::size_t(i)];
      row.series = "cpu";
      row.x = i;
      row.y = 10 + 10 * i;
    }
    rows[1].timedOnce = true;
    StudyAxes axes;
    axes.x = "threads";
    axes.y = "ms";
    chart.setRows(axes, rows, "");
    const QCPGraph* once = graphNamed(chart, QStringLiteral("timed once"));
    QVERIFY(once && once->data()->size() == 1);
    QCOMPARE(once->data()->at(0)->value, 20.0);
    // The legend says so, though there is one line.
    QVERIFY(chart.legend->visible());
    QCOMPARE(chart.legend->itemCount(), 2);
    QVERIFY(chart.detailsOf(1).contains(QStringLiteral("timed once")));
    QVERIFY(!chart.detailsOf(0).contains(QStringLiteral("timed once")));
    // On the picture the dot has a hole, where its neighbour is full.
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    const QImage picture = chart.toPixmap().toImage();
    const auto middle = [&](int row) {
      return picture.pixelColor(int(chart.xAxis->coordToPixel(rows[std::size_t(row)].x)),
                                int(chart.yAxis->coordToPixel(rows[std::size_t(row)].y)));
    };
    QCOMPARE(middle(1), ChartTheme::onScreen().background);
    QVERIFY(middle(0) != middle(1));
  }

  void aBusyMachineIsSaid() {
    ProfileData data = sweep(0.1, 5);
    TimeChart chart;
    const auto notes = [&] {
      show(chart, data);
      QStringList texts;
      for (int i = 0; i < chart.itemCount(); ++i)
        if (auto* text = qobject_cast<QCPItemText*>(chart.item(i))) texts << text->text();
      return texts.join(QLatin1Char('\n'));
    };
    QVERIFY(!notes().contains(QStringLiteral("busy")));
    data.load = {1.5, 3.5, 1.5, 2};
    QVERIFY2(notes().contains(QStringLiteral("others took 1.5 of 2 CPUs")), qPrintable(notes()));
    data.load = {120, 130, 120, 128};
    QVERIFY2(notes().contains(QStringLiteral("others took 120 of 128 CPUs")), qPrintable(notes()));
    const QByteArray svg = renderChart(data, ChartKind::time, ChartFormat::svg);
    QVERIFY(svg.contains("busy machine: others took"));
  }

  void tiesAreCalledTies() {
    ProfileData data = sweep(0.4, 9);
    data.candidates[1] = repeated(sampleCandidate(1.25, 4), 0.42, 9);
    data.candidates[1].options.alpha = 1.5;
    QVERIFY(isTie(data, 1));
    QVERIFY(!isTie(data, 0) && !isTie(data, 2) && !isTie(data, -1) && !isTie(data, 3));
    TimeChart chart;
    show(chart, data);
    QVERIFY(chart.detailsOf(1).contains(QStringLiteral("a tie with")));
    QVERIFY(!chart.detailsOf(2).contains(QStringLiteral("a tie with")));
    data.accuracy = 1e-12;  // no plan meets it
    QVERIFY(!isTie(data, 1));
  }

  void laterRoundsRefineWhatIsShown() {
    ChartPanel panel;
    panel.clear(1e-3);
    panel.addCandidates({repeated(sampleCandidate(1.25, 4), 0, 1), repeated(sampleCandidate(1.5, 4), 0, 1)});
    QCOMPARE(panel.data().candidates.size(), std::size_t(2));
    panel.addCandidates({repeated(sampleCandidate(1.25, 4), 0.1, 2)});
    QCOMPARE(panel.data().candidates.size(), std::size_t(2));
    QCOMPARE(panel.data().candidates[0].repeats, 2);
    QCOMPARE(panel.data().candidates[1].repeats, 1);
  }
};

SPOKELAB_GUI_TEST(TestRepeatsDrawn)

}  // namespace test_repeats_drawn

#include "test_repeats_drawn.moc"
