// A narrow chart shows the beginning of its axes' titles; the rest is in tool tip and copies.
#include <QHelpEvent>
#include <QToolTip>
#include <QtTest>

#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/profile/charts/error_chart.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/scatter_chart.h"
#include "widgets/profile/charts/time_chart.h"

using namespace spokelab;

namespace {

std::unique_ptr<Chart> chartNamed(const QString& name) {
  std::unique_ptr<Chart> chart;
  if (name == QStringLiteral("time")) chart = std::make_unique<TimeChart>();
  if (name == QStringLiteral("error")) chart = std::make_unique<ErrorChart>();
  if (name == QStringLiteral("scatter")) chart = std::make_unique<ScatterChart>();
  if (name == QStringLiteral("map")) chart = std::make_unique<PlanMap>();
  ProfileData data;
  data.candidates = sampleSweep();
  data.accuracy = 1e-3;
  data.best = 6;
  data.workload = Workload{.direction = Direction::normal, .executions = 24};
  chart->setData(data);
  return chart;
}

std::unique_ptr<Chart> shownAt(const QString& name, const QSize& size) {
  auto chart = chartNamed(name);
  chart->resize(size);
  chart->show();
  if (!QTest::qWaitForWindowExposed(chart.get())) qFatal("the chart is not shown");
  chart->replot(QCustomPlot::rpImmediateRefresh);
  return chart;
}

void drawAt(Chart& chart, const QSize& size) {
  for (int pass = 0; pass < 2; ++pass)  // the map knows the width of its scale after the first
    chart.toPixmap(size.width(), size.height());
}

int widthOf(const QCPAxis& axis) {
  return QFontMetrics(axis.labelFont()).horizontalAdvance(axis.label());
}

}  // namespace

class TestAxisTitles : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void titlesFitTheirAxes_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"time", "error", "scatter", "map"})
      QTest::newRow(name) << QString::fromLatin1(name);
  }
  void titlesFitTheirAxes() {
    QFETCH(QString, name);
    const auto chart = chartNamed(name);
    drawAt(*chart, {900, 500});
    const QString whole = chart->titleOf(chart->xAxis);
    QVERIFY(whole.contains(QStringLiteral("normal")));
    QCOMPARE(chart->xAxis->label(), whole);
    for (const QSize& size : {QSize(220, 140), QSize(180, 120)}) {
      drawAt(*chart, size);
      QVERIFY(chart->xAxis->label() != whole);
      QVERIFY(chart->xAxis->label().endsWith(QStringLiteral("…")));
      QVERIFY(widthOf(*chart->xAxis) <= chart->axisRect()->width());
      QVERIFY(widthOf(*chart->yAxis) <= chart->axisRect()->height());
      QCOMPARE(chart->titleOf(chart->xAxis), whole);
      QVERIFY(chart->numbers().isEmpty() || !chart->numbers().contains(QStringLiteral("…")));
    }
    drawAt(*chart, {900, 500});
    QCOMPARE(chart->xAxis->label(), whole);
  }

  void theMapsLegendWrapsWhereTheMapIsNarrow() {
    for (const int width : {900, 300, 190}) {
      const auto chart = shownAt(QStringLiteral("map"), {width, 260});
      for (int i = 0; i < chart->legend->itemCount() && chart->legend->visible(); ++i) {
        if (!chart->legend->item(i)) continue;  // an empty place
        const QRect item = chart->legend->item(i)->outerRect();
        QVERIFY2(chart->rect().contains(item) &&
                     item.width() >= chart->legend->item(i)->minimumOuterSizeHint().width(),
                 qPrintable(QStringLiteral("%1: %2 to %3").arg(width).arg(item.left()).arg(item.right())));
      }
      if (width == 900) QVERIFY(chart->legend->visible());
    }
  }

  void aCutTitleIsInItsToolTip() {
    const auto tipBelow = [](Chart& chart) {
      QToolTip::hideText();
      const QPoint at(chart.axisRect()->center().x(), chart.height() - 6);
      QHelpEvent event(QEvent::ToolTip, at, chart.mapToGlobal(at));
      QCoreApplication::sendEvent(&chart, &event);
      return QToolTip::isVisible() ? QToolTip::text() : QString();
    };
    const auto wide = shownAt(QStringLiteral("scatter"), {900, 500});  // first: tips go slowly
    QCOMPARE(tipBelow(*wide), QString());
    const auto narrow = shownAt(QStringLiteral("scatter"), {220, 140});
    QCOMPARE(tipBelow(*narrow), narrow->titleOf(narrow->xAxis));
  }
};

SPOKELAB_GUI_TEST(TestAxisTitles)
#include "test_axis_titles.moc"
