// A chart without a plan says what will be in it and how that comes about; one with plans does not.
#include <QtTest>

#include "tests/test_main.h"
#include "tests/widgets/profile/charts/sample_charts.h"

using namespace spokelab;

namespace {

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
      // Beside the labels of the axis; the map has none.
      if (name != QStringLiteral("map")) QVERIFY(text.left() >= chart->axisRect()->left());
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
#include "test_empty_charts.moc"
