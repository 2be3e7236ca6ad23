// Where the sliders are among the plans of a chart, and bars that would leave it.
#include <QPainter>
#include <QSignalSpy>
#include <QSvgRenderer>

#include <cmath>
#include <vector>

#include "tests/test_main.h"
#include "tests/widgets/profile/charts/sample_charts.h"
#include "widgets/profile/charts/chart_export.h"
#include "widgets/profile/charts/chart_panel.h"

namespace test_place_mark {

using namespace spokelab;

namespace {

constexpr QSize size(500, 320);
constexpr PlanPlace place{1.375, 4.5, 1e-4, 0.02, 2e-4};

// Gridded plans beside exact sums that take twenty times as long.
ProfileData withSlowSums() {
  ProfileData data;
  data.candidates = sampleSweep();
  for (Candidate& plan : data.candidates) plan.path.transform = TransformKind::segmented;
  Candidate sums = sampleNormal(1.5, 5);
  sums.path.transform = TransformKind::gdft;
  sums.timings = {};
  sums.timings.total = 20 * data.candidates.front().timings.total;
  sums.predictedSeconds = 3 * sums.timings.total;
  data.candidates.push_back(sums);
  data.accuracy = 1e-1;
  return data;
}

}  // namespace

class TestPlaceMark : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyChartShowsThePlaceOfTheSliders_data() { addChartNames(); }
  void everyChartShowsThePlaceOfTheSliders() {
    QFETCH(QString, name);
    const auto chart = shownAt(name, size);
    QVERIFY(!chart->placeMark().isShown());
    const QImage before = chart->grab().toImage();
    chart->setPlace(place);
    QVERIFY(chart->placeMark().isShown());
    QVERIFY(chart->grab().toImage() != before);
    const PlaceMark::At at = chart->placeMark().at();
    if (name == QStringLiteral("time")) {
      QCOMPARE(at.x, place.alpha);
      QCOMPARE(at.y, 1e3 * place.seconds);
    } else if (name == QStringLiteral("map")) {
      QCOMPARE(at.x, 1.5);  // between the columns of 1.25 and 1.5
      QCOMPARE(at.y, 5.0);  // the row that holds a width of 4.5
    } else {
      QCOMPARE(at.y, place.error);
      QCOMPARE(at.level, place.accuracy);
    }
    // It stays when plans arrive, and goes with the scan.
    chart->setData(sampleData());
    QVERIFY(chart->placeMark().isShown());
    chart->setPlace({});
    QVERIFY(!chart->placeMark().isShown());
  }

  void aMoveOfTheSlidersRepaintsNoPlan_data() { addChartNames(); }
  void aMoveOfTheSlidersRepaintsNoPlan() {
    QFETCH(QString, name);
    const auto chart = shownAt(name, size);
    const int plottables = chart->plottableCount();
    QSignalSpy whole(chart.get(), &QCustomPlot::beforeReplot);
    for (int i = 0; i < 20; ++i) chart->setPlace(PlanPlace{1.2 + 0.01 * i, 4, 1e-3, 0.01, 1e-3});
    QCOMPARE(whole.count(), 0);
    QCOMPARE(chart->plottableCount(), plottables);
  }

  void withoutPlansThereIsNoPlace() {
    const auto chart = emptyChart(QStringLiteral("time"));
    chart->setData({});
    chart->setPlace(place);
    QVERIFY(!chart->placeMark().isShown());
  }

  // In a chart that is hardly wider than it, wherever the ring is.
  void theTextIsWholeAndBesideTheRing_data() {
    QTest::addColumn<double>("alpha");
    for (const double alpha : {1.26, 1.4, 1.5, 1.6, 1.74}) QTest::addRow("%g", alpha) << alpha;
  }
  void theTextIsWholeAndBesideTheRing() {
    QFETCH(const double, alpha);
    const auto chart = shownAt(QStringLiteral("time"), {250, 200});
    chart->setPlace(PlanPlace{alpha, 4.5, 1e-4, 0.02, 2e-4});
    chart->replot(QCustomPlot::rpImmediateRefresh);
    const QCPItemText* text = nullptr;
    for (int i = 0; i < chart->itemCount(); ++i)
      if (auto* item = qobject_cast<QCPItemText*>(chart->item(i));
          item && item->text().contains(placeText({alpha})))
        text = item;
    QVERIFY(text && text->visible());
    const QRectF box(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
    QVERIFY(QRectF(chart->axisRect()->rect()).adjusted(-1, -1, 1, 1).contains(box));
    constexpr double ringRadius = 5;
    const QPointF ring(chart->xAxis->coordToPixel(alpha), chart->yAxis->coordToPixel(20));
    QVERIFY(!box.adjusted(-ringRadius, -ringRadius, ringRadius, ringRadius).contains(ring));
  }

  // Seen before: the text covered the name "gridded" of a curve.
  void theTextCoversNoNameOfACurve() {
    const auto chart = shownAt(QStringLiteral("error"), size, withSlowSums());
    const QCPRange x = chart->xAxis->range(), y = chart->yAxis->range();
    constexpr int steps = 12;
    int names = 0;
    for (int i = 1; i < steps; ++i)
      for (int j = 1; j < steps; ++j) {
        const double share = double(i) / steps, height = double(j) / steps;
        PlanPlace at = place;
        at.alpha = x.lower + share * x.size();
        at.error = y.lower * std::pow(y.upper / y.lower, height);
        chart->setPlace(at);
        if (i * j == 1) chart->replot(QCustomPlot::rpImmediateRefresh);
        QRectF own;
        std::vector<QRectF> others;
        for (int k = 0; k < chart->itemCount(); ++k)
          if (const auto* text = qobject_cast<QCPItemText*>(chart->item(k)); text && text->visible()) {
            const QRectF box(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
            if (text->text().contains(QStringLiteral("predicted")))
              own = box;
            else
              others.push_back(box);
          }
        QVERIFY(!own.isEmpty());
        for (const QRectF& other : others)
          QVERIFY2(!other.intersects(own), qPrintable(QStringLiteral("%1, %2").arg(share).arg(height)));
        names = int(others.size());
      }
    QVERIFY(names >= 3);
  }

  void theTextSaysWhatIsPredicted() {
    QCOMPARE(placeText(place), QStringLiteral("α 1.375, W 4.5\npredicted 20.0 ms,\nerror 2.0e-04"));
    QCOMPARE(placeText({1.5, 0, 1e-3, 0, 0}), QStringLiteral("α 1.5"));
  }

  void plansOfResultsComeAfterTheRun() {
    ChartPanel panel;
    TuneResult sweep;
    sweep.candidates = sampleSweep();
    panel.setResult(sweep);
    const int count = int(sweep.candidates.size());
    panel.setMarked({3});
    panel.setResults({sampleCandidate(1.6, 4.3)});
    QCOMPARE(panel.data().firstOfResults, count);
    QCOMPARE(int(panel.data().candidates.size()), count + 1);
    QCOMPARE(panel.timeChart()->marked(), std::vector<int>{3});
    panel.setSelected(count);
    panel.setResults({});
    QCOMPARE(panel.data().selected, -1);
    QCOMPARE(int(panel.data().candidates.size()), count);
    panel.setResults({sampleCandidate(1.6, 4.3)});
    panel.addCandidates({sampleCandidate(1.9, 4.3)});  // a run that is being timed has its plans alone
    QCOMPARE(panel.data().firstOfResults, -1);
    QCOMPARE(int(panel.data().candidates.size()), count + 1);
  }

  void noBarLeavesTheChart() {
    const auto chart = shownAt(QStringLiteral("time"), size, withSlowSums());
    QMap<double, double> heights;
    for (int i = 0; i < chart->plottableCount(); ++i)
      if (const auto* bars = qobject_cast<QCPBars*>(chart->plottable(i)))
        for (const QCPBarsData& bar : *bars->data()) heights[bar.key] += bar.value;
    QVERIFY(heights.size() > 3);
    for (const double height : heights) QVERIFY(height < chart->yAxis->range().upper);
    // Its numbers are whole all the same.
    QVERIFY(chart->numbers().contains(
        QString::number(1e3 * chart->data().candidates.back().timings.total, 'g', 9)));
  }

  // A renderer of SVG does not clip: what leaves the picture's frame runs over the page.
  void noExportedChartLeavesItsFrame() {
    const QByteArray svg = renderChart(withSlowSums(), ChartKind::time, ChartFormat::svg);
    QSvgRenderer renderer(svg);
    constexpr int around = 400, glyph = 12;  // a letter may reach over the edge
    QImage page(chartSize + QSize(2 * around, 2 * around), QImage::Format_RGB32);
    page.fill(Qt::white);
    QPainter painter(&page);
    const QRect frame(QPoint(around, around), chartSize);
    renderer.render(&painter, frame);
    painter.end();
    for (int y = 0; y < page.height(); ++y)
      for (int x = 0; x < page.width(); ++x)
        if (!frame.adjusted(-glyph, -glyph, glyph, glyph).contains(x, y) &&
            page.pixel(x, y) != qRgb(255, 255, 255))
          QFAIL(qPrintable(QStringLiteral("painted at %1, %2").arg(x - around).arg(y - around)));
    // Nor does a mark beyond the axes lie in the corner, where a renderer puts what has no place.
    constexpr int corner = 30;
    for (int y = -glyph; y < corner; ++y)
      for (int x = -glyph; x < corner; ++x) QCOMPARE(page.pixel(around + x, around + y), qRgb(255, 255, 255));
  }
};

SPOKELAB_GUI_TEST(TestPlaceMark)

}  // namespace test_place_mark

#include "test_place_mark.moc"
