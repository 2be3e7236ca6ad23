// A narrow chart shows the beginning of its axes' titles; the rest is in tool tip and copies.
#include <QHelpEvent>
#include <QToolTip>
#include <QtTest>

#include "tests/test_main.h"
#include "tests/widgets/profile/charts/sample_charts.h"

namespace test_axis_titles {

using namespace spokelab;

namespace {

ProfileData titledData() {
  ProfileData data = sampleData();
  data.workload = Workload{.direction = Direction::normal, .executions = 24};
  return data;
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
  void titlesFitTheirAxes_data() { addChartNames(); }
  void titlesFitTheirAxes() {
    QFETCH(QString, name);
    const auto chart = chartNamed(name, titledData());
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
      const auto chart = shownAt(QStringLiteral("map"), {width, 260}, titledData());
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
    const auto wide = shownAt(QStringLiteral("scatter"), {900, 500}, titledData());  // first: tips go slowly
    QCOMPARE(tipBelow(*wide), QString());
    const auto narrow = shownAt(QStringLiteral("scatter"), {220, 140}, titledData());
    QCOMPARE(tipBelow(*narrow), narrow->titleOf(narrow->xAxis));
  }
};

SPOKELAB_GUI_TEST(TestAxisTitles)

}  // namespace test_axis_titles

#include "test_axis_titles.moc"
