// A chart without a plan fills its place, and says what it will show and how to get it; one with
// plans says nothing.
#include <QtTest>

#include "tests/test_main.h"
#include "tests/widgets/profile/charts/sample_charts.h"

namespace test_empty_charts {

using namespace spokelab;

namespace {

constexpr double minPlotShare = 0.6;  // of the width, between labels and border

const QCPItemText* promiseOf(const Chart& chart) {
  for (int i = 0; i < chart.itemCount(); ++i)
    if (chart.item(i)->objectName() == QStringLiteral("promise"))
      return qobject_cast<QCPItemText*>(chart.item(i));
  return nullptr;
}

}  // namespace

class TestEmptyCharts : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void anEmptyChartSaysWhatWillBeInIt_data() { addChartNames(); }
  void anEmptyChartSaysWhatWillBeInIt() {
    QFETCH(QString, name);
    for (const QSize& size : {QSize(500, 350), QSize(200, 160)}) {
      const auto chart = shownAt(name, size, {});
      const QCPItemText* promise = promiseOf(*chart);
      QVERIFY(promise);
      QVERIFY(promise->text().contains(QStringLiteral("Sweep")));
      QVERIFY(chart->accessibleDescription().contains(QStringLiteral("Sweep")));
      const QRect text(promise->topLeft->pixelPosition().toPoint(),
                       promise->bottomRight->pixelPosition().toPoint());
      QVERIFY2(chart->rect().contains(text), qPrintable(promise->text()));
      QVERIFY(text.left() >= chart->axisRect()->left());  // beside the labels of the axis
      const double plotShare = double(chart->axisRect()->width()) / chart->width();
      QVERIFY2(plotShare > minPlotShare, qPrintable(QString::number(plotShare)));
    }
  }

  void aChartWithPlansDoesNot_data() { addChartNames(); }
  void aChartWithPlansDoesNot() {
    QFETCH(QString, name);
    QVERIFY(!promiseOf(*chartNamed(name)));
  }

  // Other runs behind it are drawn in the charts, not in the map.
  void theMapOfPlansThatAFilterHidesSaysSo() {
    PlanMap map;
    map.setData(sampleData());
    PlanFilter filter;
    filter.implementation = QStringLiteral("none is called so");
    map.setFilter(filter);
    QVERIFY(promiseOf(map));
    QVERIFY(!promiseOf(map)->text().contains(QStringLiteral("Sweep")));
  }
};

SPOKELAB_GUI_TEST(TestEmptyCharts)

}  // namespace test_empty_charts

#include "test_empty_charts.moc"
