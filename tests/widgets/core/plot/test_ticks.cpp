// Ticks of logarithmic axes: decades where several are seen, else 1, 2, 5; plain numbers near 1.
#include <QtTest>

#include <cmath>

#include "tests/test_main.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/core/plot/distinct_ticker.h"
#include "widgets/recon/jobs/iteration_view.h"

namespace test_ticks {

using namespace spokelab;

namespace {

// Label and value of each tick in sight.
QList<std::pair<double, QString>> ticksOf(CurvePlot& plot, double low, double high) {
  plot.yAxis->setScaleType(QCPAxis::stLogarithmic);
  plot.yAxis->setTicker(QSharedPointer<DistinctTicker>::create(true));
  plot.yAxis->setNumberFormat(QStringLiteral("eb"));
  plot.yAxis->setNumberPrecision(0);
  plot.yAxis->setRange(low, high);
  plot.resize(400, 160);
  plot.show();
  plot.replot(QCustomPlot::rpImmediateRefresh);
  QList<std::pair<double, QString>> found;
  for (qsizetype i = 0; i < plot.yAxis->tickVector().size(); ++i)
    if (plot.yAxis->range().contains(plot.yAxis->tickVector()[i]))
      found << std::pair(plot.yAxis->tickVector()[i], plot.yAxis->tickVectorLabels()[i]);
  return found;
}

}  // namespace

class TestTicks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void numbersNearOneArePlainAndTrue_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("below a decade") << 0.7 << 1.6;
    QTest::newRow("one decade") << 0.3 << 4.0;
    QTest::newRow("narrow") << 0.024 << 0.031;
  }
  void numbersNearOneArePlainAndTrue() {
    QFETCH(const double, low);
    QFETCH(const double, high);
    CurvePlot plot;
    const auto ticks = ticksOf(plot, low, high);
    QVERIFY(ticks.size() >= 2);
    for (const auto& [value, label] : ticks) {
      QVERIFY2(!label.contains(QLatin1Char('e')), qPrintable(label));
      QVERIFY2(std::abs(label.toDouble() - value) <= 1e-6 * value, qPrintable(label));
    }
  }

  void severalDecadesAreTheTicks() {
    CurvePlot plot;
    const auto ticks = ticksOf(plot, 2e-4, 3e1);
    QVERIFY(ticks.size() >= 3);
    for (const auto& [value, label] : ticks)
      QVERIFY2(std::abs(std::log10(value) - std::round(std::log10(value))) < 1e-9, qPrintable(label));
  }

  // Seen before, of a readout: 250, 200, 150, … upon each other.
  void aLowPlotHasFewTicks() {
    CurvePlot plot;
    plot.yAxis->setRange(-60, 270);
    plot.resize(380, 100);
    plot.show();
    plot.replot(QCustomPlot::rpImmediateRefresh);
    QVector<double> seen;
    for (const double tick : plot.yAxis->tickVector())
      if (plot.yAxis->range().contains(tick)) seen << plot.yAxis->coordToPixel(tick);
    QVERIFY(!seen.isEmpty());
    const int high = QFontMetrics(plot.yAxis->tickLabelFont()).ascent();
    for (qsizetype i = 1; i < seen.size(); ++i) QVERIFY(std::abs(seen[i] - seen[i - 1]) >= high);
  }

  // Seen before, of ten iterations in a low dock: 0.2, 0.1, 0.05, 0.02, … upon each other.
  void aLowLogarithmHasFewTicks_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("three decades") << 9e-4 << 0.35;
    QTest::newRow("four decades") << 9e-5 << 0.35;
    QTest::newRow("one decade in sight") << 1.5e-3 << 0.095;
    QTest::newRow("eight decades") << 2e-8 << 3.0;
  }
  void aLowLogarithmHasFewTicks() {
    QFETCH(const double, low);
    QFETCH(const double, high);
    CurvePlot plot;
    ticksOf(plot, low, high);
    plot.resize(380, 100);
    plot.replot(QCustomPlot::rpImmediateRefresh);
    QVector<double> seen;
    for (const double tick : plot.yAxis->tickVector())
      if (plot.yAxis->range().contains(tick)) seen << plot.yAxis->coordToPixel(tick);
    QVERIFY(seen.size() >= 2);
    const int tall = QFontMetrics(plot.yAxis->tickLabelFont()).ascent();
    for (qsizetype i = 1; i < seen.size(); ++i)
      QVERIFY2(std::abs(seen[i] - seen[i - 1]) >= tall, qPrintable(QString::number(seen[i] - seen[i - 1])));
  }

  // Seen before: "1.6·10⁰".
  void theResidualsOfNoIterationHavePlainTicks() {
    IterationView view;
    view.resize(700, 170);
    view.show();
    auto* plot = view.findChild<CurvePlot*>(QStringLiteral("residuals"));
    plot->replot(QCustomPlot::rpImmediateRefresh);
    QVERIFY(!plot->yAxis->tickVectorLabels().isEmpty());
    for (const QString& label : plot->yAxis->tickVectorLabels())
      QVERIFY2(!label.contains(QLatin1Char('e')), qPrintable(label));
  }
};

SPOKELAB_GUI_TEST(TestTicks)

}  // namespace test_ticks

#include "test_ticks.moc"
