// Marks, colours and texts of the charts: the choice and the shown plan at any place, with a
// legend; ticks that differ; a map that agrees with the times.
#include <QtTest>

#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/profile/charts/error_chart.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/time_chart.h"

namespace test_chart_marks {

using namespace spokelab;

namespace {

constexpr QSize size(420, 260);

// The sweep, and of each of its plans a variant that takes half as long again.
ProfileData withVariants() {
  ProfileData data;
  data.candidates = sampleSweep();
  data.candidates.pop_back();
  const std::vector<Candidate> plain = data.candidates;
  for (Candidate variant : plain) {
    variant.options.spread = variant.options.interpolate = Method::sparse;
    variant.timings[Stage::spread] *= 1.5;
    variant.timings.total *= 1.5;
    data.candidates.push_back(variant);
  }
  data.accuracy = 1e-3;
  return data;
}

void show(Chart& chart, const ProfileData& data) {
  chart.resize(size);
  chart.show();
  chart.setData(data);
  chart.replot(QCustomPlot::rpImmediateRefresh);
}

QStringList legendOf(const Chart& chart) {
  QStringList names;
  for (int i = 0; i < chart.legend->itemCount(); ++i)
    if (auto* item = qobject_cast<QCPPlottableLegendItem*>(chart.legend->item(i)))
      names << item->plottable()->name();
  return chart.legend->realVisibility() ? names : QStringList();
}

void verifyDistinct(const QVector<QString>& labels) {
  QVERIFY2(labels.size() >= 2, qPrintable(QString::number(labels.size())));
  for (int i = 0; i < labels.size(); ++i)
    for (int j = 0; j < i; ++j) QVERIFY2(labels[i] != labels[j], qPrintable(labels[i]));
}

}  // namespace

class TestChartMarks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void choiceAndShownPlanAreMarkedAndNamedAlsoWhereAVariantWins_data() {
    QTest::addColumn<int>("best");
    QTest::addColumn<int>("selected");
    QTest::newRow("of different cells") << 6 << 9;
    QTest::newRow("variants of one plan") << 6 << 26;
    QTest::newRow("the slower one is chosen") << 26 << 6;
    QTest::newRow("both are slower variants") << 26 << 29;
  }
  void choiceAndShownPlanAreMarkedAndNamedAlsoWhereAVariantWins() {
    QFETCH(const int, best);
    QFETCH(const int, selected);
    ProfileData data = withVariants();
    data.best = best;
    data.selected = selected;
    TimeChart time;
    ErrorChart error;
    PlanMap map;
    for (Chart* chart :
         {static_cast<Chart*>(&time), static_cast<Chart*>(&error), static_cast<Chart*>(&map)}) {
      show(*chart, data);
      const QStringList names = legendOf(*chart);
      QCOMPARE(names.count(QStringLiteral("tuner's choice")), 1);
      QCOMPARE(names.count(QStringLiteral("shown plan")), 1);
    }
  }

  void theMapAgreesWithTheChartOfTimes_data() {
    QTest::addColumn<int>("best");
    QTest::addColumn<int>("selected");
    QTest::newRow("no choice yet") << -1 << -1;
    QTest::newRow("a slow one is shown") << 6 << 30;
    QTest::newRow("a slow one is chosen") << 26 << 6;
  }
  void theMapAgreesWithTheChartOfTimes() {
    QFETCH(const int, best);
    QFETCH(const int, selected);
    ProfileData data = withVariants();
    data.best = best;
    data.selected = selected;
    // In the cells of 5: too narrow for the accuracy, and fast.
    for (const double alpha : {1.25, 1.5, 1.75}) {
      Candidate narrow = sampleCandidate(alpha, 4.2);
      narrow.timings.total *= 0.3;
      narrow.predicted.relativeL2 = 1e-2;
      data.candidates.push_back(narrow);
    }
    const PlanCells map = arrangePlans(data, PlanRows::width, PlanQuantity::time, {});
    for (const int index : fastestForEachAlpha(data)) {
      const Candidate& plan = data.candidates[std::size_t(index)];
      QCOMPARE(map.cells.at(map.placeOf(plan, PlanRows::width)), index);
    }
  }

  void theLegendHidesNoTime_data() {
    QTest::addColumn<QSize>("room");
    QTest::newRow("low") << QSize(420, 205);
    QTest::newRow("usual") << size;
    QTest::newRow("large") << QSize(900, 600);
  }
  void theLegendHidesNoTime() {
    QFETCH(const QSize, room);
    ProfileData data = withVariants();
    data.best = 6;
    data.selected = 9;
    TimeChart time;
    ErrorChart error;
    for (Chart* chart : {static_cast<Chart*>(&time), static_cast<Chart*>(&error)}) {
      chart->resize(room);
      chart->show();
      chart->setData(data);
      for (int i = 0; i < 2; ++i) chart->replot(QCustomPlot::rpImmediateRefresh);
      QVERIFY(chart->legend->realVisibility());
      QVERIFY(!chart->legend->outerRect().intersects(chart->axisRect()->rect()));
      bool found = false;
      // About the shown plan, which may be the longest; errors end at a decade.
      const double ringRadius = chart == &time ? 8 : 0;
      for (int i = 0; i < chart->graphCount(); ++i) {
        const QCPRange values = chart->graph(i)->getValueRange(found);
        if (found) QVERIFY(chart->yAxis->coordToPixel(values.upper) - ringRadius >= chart->axisRect()->top());
      }
      QVERIFY(chart->graphCount() > 0);
    }
    QVERIFY(time.yAxis->tickVector().back() > 0.5 * time.yAxis->range().upper);
  }

  void aLegendThatIsHiddenTakesNoRoom() {
    ProfileData data = withVariants();
    data.best = 6;
    data.selected = 9;
    TimeChart chart;
    chart.resize(180, 150);
    chart.show();
    chart.setData(data);
    for (int i = 0; i < 2; ++i) chart.replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY(!chart.legend->visible());
    constexpr int axisAndTicks = 60;
    QVERIFY2(chart.axisRect()->height() > chart.height() - axisAndTicks,
             qPrintable(QString::number(chart.axisRect()->height())));
  }

  // The lines of an error chart are named at their ends; no name lies upon another.
  void linesAreNamedAtTheirEnds() {
    for (const QSize& room : {QSize(300, 200), size, QSize(900, 600)}) {
      ErrorChart chart;
      chart.resize(room);
      chart.show();
      chart.setData(withVariants());
      for (int i = 0; i < 2; ++i) chart.replot(QCustomPlot::rpImmediateRefresh);
      std::vector<QRectF> boxes;
      for (int i = 0; i < chart.itemCount(); ++i) {
        const auto* text = qobject_cast<QCPItemText*>(chart.item(i));
        if (!text || !text->visible() || text->text().contains(QStringLiteral("requested"))) continue;
        boxes.emplace_back(text->left->pixelPosition().x(), text->position->pixelPosition().y() - 3,
                           text->right->pixelPosition().x() - text->left->pixelPosition().x(), 6);
      }
      QVERIFY(boxes.size() >= 2);
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        QVERIFY(QRectF(chart.rect()).contains(boxes[i]));
        for (std::size_t j = 0; j < i; ++j) QVERIFY(!boxes[i].intersects(boxes[j]));
      }
      for (int i = 0; i < chart.legend->itemCount(); ++i)
        if (auto* item = qobject_cast<QCPPlottableLegendItem*>(chart.legend->item(i)))
          QVERIFY2(!item->plottable()->name().startsWith(QStringLiteral("W ")) &&
                       !item->plottable()->name().startsWith(QStringLiteral("α ")),
                   qPrintable(item->plottable()->name()));
    }
  }

  void aMapOfOneCellOrColumnIsColoured_data() {
    QTest::addColumn<int>("widths");
    QTest::newRow("cell") << 1;
    QTest::newRow("column") << 3;
  }
  void aMapOfOneCellOrColumnIsColoured() {
    QFETCH(const int, widths);
    ProfileData data;
    for (int i = 0; i < widths; ++i) data.candidates.push_back(sampleCandidate(1.5, 4 + i));
    PlanMap map;
    show(map, data);
    const QImage picture = map.grab().toImage();
    const QRgb ground = ChartTheme::onScreen().background.rgb();
    for (int i = 0; i < widths; ++i) QVERIFY(picture.pixel(map.positionOf(i)) != ground);
  }

  void tickLabelsDiffer_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("within a decade") << 0.028 << 0.034;
    QTest::newRow("within a hundredth") << 0.0300 << 0.0303;
    QTest::newRow("decades") << 1e-6 << 1e-1;
  }
  void tickLabelsDiffer() {
    QFETCH(const double, low);
    QFETCH(const double, high);
    ErrorChart chart;
    show(chart, withVariants());
    chart.yAxis->setRange(low, high);
    chart.replot(QCustomPlot::rpImmediateRefresh);
    verifyDistinct(chart.yAxis->tickVectorLabels());
  }

  void theColourScaleOfNearlyEqualTimesHasLabelsThatDiffer() {
    for (const auto& [milliseconds, quantity] :
         {std::pair(18.1, PlanQuantity::time), std::pair(181.0, PlanQuantity::time),
          std::pair(18.1, PlanQuantity::error)}) {
      ProfileData data;
      for (const double alpha : {1.25, 1.5}) {
        data.candidates.push_back(sampleCandidate(alpha, 4));
        data.candidates.back().timings.total = milliseconds * 1e-3 * (alpha > 1.3 ? 1.02 : 1);
        data.candidates.back().measuredError = 0.0301 * (alpha > 1.3 ? 1.02 : 1);
      }
      PlanMap map;
      map.setQuantity(quantity);
      show(map, data);
      const auto* scale = map.findChild<QCPColorScale*>();
      QVERIFY(scale);
      verifyDistinct(scale->axis()->tickVectorLabels());
    }
  }
};

SPOKELAB_GUI_TEST(TestChartMarks)

}  // namespace test_chart_marks

#include "test_chart_marks.moc"
