// The live charts: clicks pick candidates, repaints are gathered, exported pictures are what they
// say.
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTabBar>
#include <QXmlStreamReader>
#include <QtTest>

#include "tests/patience.h"
#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/error_chart.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/time_chart.h"

namespace test_chart_panel {

using namespace spokelab;

namespace {

constexpr int patience = 2000;  // ms

ProfileData sampleData() {
  ProfileData data;
  data.candidates = sampleSweep();
  data.accuracy = 1e-3;
  data.best = 6;
  data.selected = 9;
  return data;
}

int coloursIn(const QImage& image) {
  QSet<QRgb> colours;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, y));
  }
  return int(colours.size());
}

}  // namespace

class TestChartPanel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aClickOnAnyChartPicksTheCandidateDrawnThere() {
    ChartPanel panel;
    panel.resize(1200, 300);
    panel.show();
    panel.clear(1e-3);
    panel.addCandidates(sampleSweep());
    QTRY_VERIFY_WITH_TIMEOUT(panel.repaints() > 0, patience);
    QSignalSpy spy(&panel, &ChartPanel::candidateSelected);
    const auto shownIn = fastestForEachAlpha(panel.data());
    for (Chart* chart : {static_cast<Chart*>(panel.timeChart()), static_cast<Chart*>(panel.errorChart()),
                         static_cast<Chart*>(panel.planMap())}) {
      chart->replot(QCustomPlot::rpImmediateRefresh);
      const int wanted = shownIn[1];
      const QPoint at = chart->positionOf(wanted);
      QVERIFY(!at.isNull());
      QCOMPARE(chart->candidateAt(at), wanted);
      spy.clear();
      QTest::mouseClick(chart, Qt::LeftButton, {}, at);
      QCOMPARE(spy.count(), 1);
      QCOMPARE(spy.front().front().toInt(), wanted);
    }
  }

  void aNarrowPanelShowsOneChartAtATime() {
    ChartPanel panel;
    panel.resize(1200, 300);
    panel.show();
    panel.addCandidates(sampleSweep());
    auto* tabs = panel.findChild<QTabBar*>(QStringLiteral("chartTabs"));
    QVERIFY(tabs && !tabs->isVisible());
    const auto seen = [&panel] {
      return int(panel.timeChart()->isVisible()) + int(panel.errorChart()->isVisible()) +
             int(panel.planMap()->isVisible());
    };
    QCOMPARE(seen(), 3);
    panel.resize(800, 300);
    QVERIFY(tabs->isVisible());
    QCOMPARE(tabs->count(), 3);
    QCOMPARE(seen(), 1);
    QVERIFY(panel.timeChart()->isVisible());
    tabs->setCurrentIndex(2);
    QCOMPARE(seen(), 1);
    QVERIFY(panel.planMap()->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(panel.planMap()->width() > 600, patience);
    panel.resize(1200, 300);
    QCOMPARE(seen(), 3);
  }

  void aDragIsNotAClick() {
    ChartPanel panel;
    panel.resize(1200, 300);
    panel.show();
    panel.addCandidates(sampleSweep());
    QTRY_VERIFY_WITH_TIMEOUT(panel.repaints() > 0, patience);
    QSignalSpy spy(&panel, &ChartPanel::candidateSelected);
    panel.planMap()->replot(QCustomPlot::rpImmediateRefresh);
    const QPoint at = panel.planMap()->positionOf(0);
    QTest::mousePress(panel.planMap(), Qt::LeftButton, {}, at);
    QTest::mouseRelease(panel.planMap(), Qt::LeftButton, {}, at + QPoint(40, 0));
    QCOMPARE(spy.count(), 0);
  }

  void aFastSweepCostsAFewRepaints() {
    ChartPanel panel;
    panel.show();
    constexpr int candidates = 200, apartMs = 2;
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < candidates; ++i) {
      panel.addCandidates({sampleCandidate(1.1 + 0.004 * i, 4)});
      QTest::qWait(apartMs);
    }
    constexpr int shortestMs = 50;
    QVERIFY(panel.repaints() >= 1);
    QVERIFY2(panel.repaints() <= clock.elapsed() / shortestMs + 1,
             qPrintable(QString::number(panel.repaints())));
    QCOMPARE(int(panel.data().candidates.size()), candidates);
    QTRY_COMPARE_WITH_TIMEOUT(int(panel.timeChart()->data().candidates.size()), candidates, patience);
  }

  void anEmptyRunLeavesEmptyCharts() {
    ChartPanel panel;
    panel.resize(1200, 300);
    panel.show();
    panel.addCandidates(sampleSweep());
    panel.clear(1e-3);
    QTRY_VERIFY_WITH_TIMEOUT(panel.repaints() > 0, patience);
    QCOMPARE(panel.planMap()->candidateAt(panel.planMap()->rect().center()), -1);
    QVERIFY(renderCharts(panel.data(), ChartFormat::svg).empty());
  }

  void exportedSvgIsWellFormedAndHasAViewBox() {
    const auto files = renderCharts(sampleData(), ChartFormat::svg);
    for (const ChartFile& file :
         files) {  // vectors: the cells of the map too, only its colour scale is a picture
      QVERIFY2(file.content.count("<image") <= 1, qPrintable(file.name));
      QVERIFY2(file.content.size() < 100'000,
               qPrintable(QStringLiteral("%1 bytes").arg(file.content.size())));
    }
    QCOMPARE(files.size(), chartKinds.size());
    for (const ChartFile& file : files) {
      QVERIFY(file.name.endsWith(QStringLiteral(".svg")));
      QVERIFY(file.content.contains(", sans-serif\""));
      QVERIFY(!file.content.contains("font-family=\"Sans Serif\""));
      QXmlStreamReader reader(file.content);
      QString viewBox;
      while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QStringLiteral("svg")) {
          viewBox = reader.attributes().value(QStringLiteral("viewBox")).toString();
        }
      }
      QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
      QCOMPARE(viewBox, QStringLiteral("0 0 %1 %2").arg(chartSize.width()).arg(chartSize.height()));
      QSvgRenderer renderer(file.content);
      QVERIFY(renderer.isValid());
      QImage image(chartSize, QImage::Format_RGB32);
      image.fill(Qt::white);
      QPainter painter(&image);
      renderer.render(&painter);
      painter.end();
      QVERIFY2(coloursIn(image) > 20, qPrintable(file.name));
    }
  }

  // Before there are plans, too: no black digits of a scale that is not in use on the dark ground.
  void anEmptyMapHasNoScale() {
    PlanMap map;
    const auto* scale = map.findChild<QCPColorScale*>();
    QVERIFY(scale && !scale->visible() && !scale->layout());
    QCOMPARE(scale->axis()->tickLabelColor(), ChartTheme::onScreen().foreground);
    map.setTitle(QStringLiteral("Map"));  // above map and scale
    map.setData(sampleData());
    QVERIFY(scale->visible());
    QCOMPARE(map.plotLayout()->element(1, 0), map.axisRect());
    QCOMPARE(map.plotLayout()->element(1, 1), scale);
    map.setData({});
    QVERIFY(!scale->visible() && !scale->layout());
    QCOMPARE(map.plotLayout()->columnCount(), 1);
  }

  void exportedPdfAndPngAreWhatTheySay() {
    for (ChartKind kind : {ChartKind::time, ChartKind::error, ChartKind::map}) {
      const QByteArray pdf = renderChart(sampleData(), kind, ChartFormat::pdf);
      QVERIFY(pdf.startsWith("%PDF-"));
      QVERIFY(pdf.trimmed().endsWith("%%EOF"));
      const QImage png = QImage::fromData(renderChart(sampleData(), kind, ChartFormat::png), "PNG");
      QCOMPARE(png.size(), 2 * chartSize);
      QVERIFY(coloursIn(png) > 20);
    }
  }
};

SPOKELAB_GUI_TEST(TestChartPanel)

}  // namespace test_chart_panel

#include "test_chart_panel.moc"
