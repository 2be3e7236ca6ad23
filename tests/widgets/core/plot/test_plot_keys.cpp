// Plots that are not charts of plans are used by the same keys: the residuals of iterations, the
// values along a line, and the time line of threads.
#include <QClipboard>
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "tests/patience.h"
#include "tests/test_main.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/image/measure_view.h"
#include "widgets/profile/timeline/timeline_chart.h"
#include "widgets/recon/jobs/iteration_view.h"

namespace test_plot_keys {

using namespace spokelab;

namespace {

void giveFocus(QWidget& plot) {
  plot.window()->show();
  plot.window()->activateWindow();
  plot.setFocus(Qt::TabFocusReason);
  QTRY_VERIFY_WITH_TIMEOUT(plot.hasFocus(), patience);
}

bool isFramed(QWidget& plot) {
  const QImage picture = plot.grab().toImage();
  return picture.pixelColor(1, picture.height() / 2) == plot.palette().color(QPalette::Highlight);
}

QString copiedFrom(QWidget& plot) {
  QGuiApplication::clipboard()->clear();
  QTest::keyClick(&plot, Qt::Key_C, Qt::ControlModifier);
  return QGuiApplication::clipboard()->text();
}

// Zoom, move and the whole range; `place` is the first of what is shown, `extent` how much that is.
template <class Place, class Extent>
void checkRanges(QWidget& plot, const Place& place, const Extent& extent) {
  const double first = place(), all = extent();
  QTest::keyClick(&plot, Qt::Key_Plus);
  QVERIFY(std::abs(extent() / all - 0.8) < 1e-6);
  const double before = place(), shown = extent();
  QTest::keyClick(&plot, Qt::Key_Right, Qt::ShiftModifier);
  QVERIFY(place() > before && std::abs(extent() - shown) < 1e-9 * all);
  QTest::keyClick(&plot, Qt::Key_Left, Qt::ShiftModifier);
  QVERIFY(std::abs(place() - before) < 1e-6 * all);
  QTest::keyClick(&plot, Qt::Key_Plus);
  QTest::keyClick(&plot, Qt::Key_Minus);
  QVERIFY(std::abs(extent() - shown) < 1e-6 * all);
  QTest::keyClick(&plot, Qt::Key_0);
  QVERIFY(std::abs(place() - first) < 1e-9 * all && std::abs(extent() - all) < 1e-9 * all);
}

void checkRanges(CurvePlot& plot) {
  checkRanges(
      plot, [&] { return plot.xAxis->range().lower; }, [&] { return plot.xAxis->range().size(); });
}

void checkFrame(QWidget& plot) {
  QVERIFY(isFramed(plot));
  plot.clearFocus();
  QVERIFY(!isFramed(plot));
  QVERIFY(!plot.accessibleName().isEmpty());
}

}  // namespace

class TestPlotKeys : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void iterationsAreCountedInWholeNumbers() {
    for (const int count : {2, 5, 17, 200}) {
      IterationView view;
      view.resize(700, 300);
      view.start(QStringLiteral("SENSE"));
      std::vector<IterationPoint> points;
      for (int i = 1; i <= count; ++i) points.push_back({.iteration = i, .residual = 1.0 / i});
      view.addPoints(points);
      view.QWidget::show();
      view.plot()->replot();
      const QVector<double> ticks = view.plot()->xAxis->tickVector();
      QVERIFY(!ticks.empty() && ticks.size() < 15);
      for (const double tick : ticks) QCOMPARE(tick, std::round(tick));
    }
  }

  // Before there is a point, and where all residuals lie within a decade.
  void labelsOfResidualsDiffer() {
    for (const std::vector<double>& residuals :
         {std::vector<double>{}, {1, 0.9, 0.82}, {1, 0.3}, {1, 1e-4}}) {
      IterationView view;
      view.resize(700, 300);
      std::vector<IterationPoint> points;
      for (const double residual : residuals)
        points.push_back({.iteration = int(points.size()) + 1, .residual = residual});
      view.start(QStringLiteral("SENSE"));
      if (!points.empty()) view.addPoints(points);
      view.QWidget::show();
      view.plot()->replot();
      QVector<QString> labels = view.plot()->yAxis->tickVectorLabels();
      QVERIFY(labels.size() > 1);
      std::sort(labels.begin(), labels.end());
      QVERIFY2(std::adjacent_find(labels.begin(), labels.end()) == labels.end(),
               qPrintable(labels.toList().join(QLatin1Char(' '))));
    }
  }

  void iterationsAreUsedByKeys() {
    IterationView view;
    view.resize(700, 300);
    view.start(QStringLiteral("SENSE"));
    std::vector<IterationPoint> points;
    for (const double residual : {1.0, 0.3, 0.05, 0.09})
      points.push_back(
          {.iteration = int(points.size()) + 1, .residual = residual, .kept = points.size() != 1});
    view.addPoints(points);
    CurvePlot& plot = *view.plot();
    giveFocus(plot);
    QCOMPARE(plot.framed(), 2);  // the best one
    QTest::keyClick(&plot, Qt::Key_Left);
    QCOMPARE(plot.framed(), 1);
    QVERIFY(plot.accessibleDescription().contains(QStringLiteral("iteration 2")));
    QVERIFY(plot.accessibleDescription().contains(QStringLiteral("0.3")));
    QSignalSpy back(&view, &IterationView::backRequested);
    QTest::keyClick(&plot, Qt::Key_Return);
    QCOMPARE(back.count(), 0);  // its image is not kept
    QTest::keyClick(&plot, Qt::Key_PageUp);
    QTest::keyClick(&plot, Qt::Key_Left);
    QCOMPARE(plot.framed(), 0);
    QTest::keyClick(&plot, Qt::Key_Space);
    QCOMPARE(back.count(), 1);
    QCOMPARE(back.front().front().toInt(), 1);
    QTest::keyClick(&plot, Qt::Key_Home);
    QCOMPARE(plot.framed(), 2);
    QTest::keyClick(&plot, Qt::Key_PageDown);
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(plot.framed(), 3);
    QVERIFY(copiedFrom(plot).startsWith(QStringLiteral("iteration\tresidual\n1\t1\n2\t0.3\n")));
    checkRanges(plot);
    // The next iteration leaves what was zoomed to, the next job does not.
    QTest::keyClick(&plot, Qt::Key_Plus);
    const double zoomed = plot.xAxis->range().size();
    view.addPoints({{.iteration = 5, .residual = 0.01}});
    QCOMPARE(plot.xAxis->range().size(), zoomed);
    view.start(QStringLiteral("SENSE"));
    QVERIFY(plot.xAxis->range().size() > zoomed);
    checkFrame(plot);
  }

  void aDragMovesAndIsNoClick() {
    IterationView view;
    view.resize(700, 300);
    view.start(QStringLiteral("SENSE"));
    view.addPoints(
        {{.iteration = 1, .residual = 1, .kept = true}, {.iteration = 2, .residual = 0.1, .kept = true}});
    view.QWidget::show();
    CurvePlot& plot = *view.plot();
    plot.replot();
    QSignalSpy back(&view, &IterationView::backRequested);
    const QPoint from = view.positionOf(0), to = from + QPoint(60, 0);
    const double lower = plot.xAxis->range().lower;
    QTest::mousePress(&plot, Qt::LeftButton, {}, from);
    for (const QPoint& at : {from + QPoint(30, 0), to}) {
      QMouseEvent event(QEvent::MouseMove, at, plot.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
      QCoreApplication::sendEvent(&plot, &event);
    }
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, to);
    QCOMPARE(back.count(), 0);
    QVERIFY(plot.xAxis->range().lower < lower);
    QTest::mouseDClick(&plot, Qt::LeftButton, {}, plot.axisRect()->center());
    QCOMPARE(plot.xAxis->range().lower, lower);
    // A click looks at an iteration's image; Enter goes back to it.
    QTest::mouseClick(&plot, Qt::LeftButton, {}, view.positionOf(1));
    QCOMPARE(back.count(), 0);
    giveFocus(plot);
    QTest::keyClick(&plot, Qt::Key_Return);
    QCOMPARE(back.count(), 1);
  }

  void valuesAlongALineAreUsedByKeys() {
    auto image = std::make_shared<Image>();
    image->size = {16, 8, 1};
    image->data.resize(std::size_t(image->volume()));
    for (int x = 0; x < 16; ++x)
      for (int y = 0; y < 8; ++y) image->data[std::size_t(y * 16 + x)] = {float(x == 5 ? 9 : 1), 0};
    Measurement measurement;
    MeasureView view;
    view.resize(600, 300);
    view.show();
    view.setMeasurement(&measurement);
    view.setImages(image, nullptr);
    measurement.setLine(MeasuredLine{{0, 4, 0}, {15, 4, 0}, 2});
    CurvePlot& plot = *view.plot();
    QTRY_VERIFY_WITH_TIMEOUT(plot.isVisible() && plot.graphCount() == 1, patience);
    giveFocus(plot);
    const int peak = plot.framed();
    QVERIFY(std::abs(plot.graph(0)->dataMainValue(peak) - 9) < 1);
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(plot.framed(), peak + 1);
    QVERIFY(plot.accessibleDescription().contains(QStringLiteral("mm")));
    QTest::keyClick(&plot, Qt::Key_Home);
    QCOMPARE(plot.framed(), peak);
    QCOMPARE(int(copiedFrom(plot).count(QLatin1Char('\n'))), plot.graph(0)->dataCount() + 1);
    checkRanges(plot);
    checkFrame(plot);
  }

  void theTimeLineIsUsedByKeys() {
    auto timeline = std::make_shared<Timeline>();
    const auto add = [&](int thread, double begin, double end) {
      WorkInterval interval;
      interval.thread = thread;
      interval.partition = std::int64_t(timeline->intervals.size());
      interval.points = 10;
      interval.begin = begin;
      interval.end = end;
      timeline->intervals.push_back(interval);
    };
    add(0, 0, 0.006);  // the longest
    add(1, 0, 0.002);
    add(1, 0.002, 0.004);
    add(0, 0.008, 0.010);
    TimelineChart chart;
    chart.resize(700, 160);
    chart.setTimeline(timeline);
    giveFocus(chart);
    QCOMPARE(chart.framed(), 0);
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(chart.framed(), 3);
    QTest::keyClick(&chart, Qt::Key_Down);
    QCOMPARE(chart.framed(), 2);
    QVERIFY(chart.accessibleDescription().contains(QStringLiteral("partition 2")));
    QTest::keyClick(&chart, Qt::Key_Left);
    QCOMPARE(chart.framed(), 1);
    QTest::keyClick(&chart, Qt::Key_Down);
    QCOMPARE(chart.framed(), 1);  // the only row
    QTest::keyClick(&chart, Qt::Key_PageDown);
    QCOMPARE(chart.framed(), 2);
    QTest::keyClick(&chart, Qt::Key_PageUp);
    QTest::keyClick(&chart, Qt::Key_PageUp);
    QCOMPARE(chart.framed(), 0);
    QTest::keyClick(&chart, Qt::Key_Home);
    QCOMPARE(chart.framed(), 0);
    const QStringList copied = copiedFrom(chart).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(copied.size(), 5);
    QVERIFY(copied[4].startsWith(QStringLiteral("0\t")) && copied[4].endsWith(QStringLiteral("\t8\t10")));
    checkRanges(
        chart, [&] { return chart.firstSecond(); }, [&] { return chart.lastSecond() - chart.firstSecond(); });
    // A bar outside of the shown range is moved into sight.
    for (int i = 0; i < 8; ++i) QTest::keyClick(&chart, Qt::Key_Plus);
    QTest::keyClick(&chart, Qt::Key_Right);
    QVERIFY(chart.framed() == 3 && chart.firstSecond() < 0.010 && chart.lastSecond() > 0.008);
    checkFrame(chart);
    chart.setTimeline(nullptr);
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(chart.framed(), -1);
  }
};

SPOKELAB_GUI_TEST(TestPlotKeys)

}  // namespace test_plot_keys

#include "test_plot_keys.moc"
