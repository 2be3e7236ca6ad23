// The texts at the axes of a map of plans stand beside each other at every size, zoomed and not,
// and it has some: all that fit.
#include <QtTest>

#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/profile/charts/plan_map.h"

namespace test_map_labels {

using namespace spokelab;

namespace {

constexpr QSize sizes[] = {{130, 100}, {180, 130}, {240, 170}, {320, 220}, {460, 300}, {900, 640}};

// Many α and W; with other paths: Toeplitz forms, too, some of which have no ratio.
ProfileData sweep(bool paths) {
  ProfileData data;
  data.accuracy = 1e-3;
  for (const double alpha : {1.0625, 1.125, 1.1875, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2.0})
    for (double width = 2; width <= 12; width += 0.5)
      data.candidates.push_back(sampleCandidate(alpha, width));
  if (paths)
    for (const double ratio : {0.0, 2.0, 2.25, 2.5}) data.candidates.push_back(sampleToeplitz(ratio));
  return data;
}

// Pixels along the axis between two neighbours of its texts, the least.
double leastGap(const QCPAxis& axis) {
  const QFontMetrics metrics(axis.tickLabelFont());
  const bool across = axis.orientation() == Qt::Horizontal;
  double least = std::numeric_limits<double>::infinity(), before = -least;
  QList<std::pair<double, double>> places;
  for (int i = 0; i < axis.tickVector().size(); ++i) {
    const QString text = axis.tickVectorLabels()[i];
    if (text.isEmpty()) continue;
    const double half = (across ? metrics.horizontalAdvance(text) : metrics.height()) / 2.0;
    places.push_back(
        {axis.coordToPixel(axis.tickVector()[i]) - half, axis.coordToPixel(axis.tickVector()[i]) + half});
  }
  std::sort(places.begin(), places.end());
  for (const auto& [begin, end] : places) {
    least = std::min(least, begin - before);
    before = end;
  }
  return least;
}

int texts(const QCPAxis& axis) {
  int count = 0;
  for (const QString& text : axis.tickVectorLabels()) count += !text.isEmpty();
  return count;
}

const QCPColorScale& scaleOf(PlanMap& map) {
  for (int i = 0; i < map.plottableCount(); ++i)
    if (const auto* colours = qobject_cast<const QCPColorMap*>(map.plottable(i)))
      if (colours->colorScale()) return *colours->colorScale();
  qFatal("there is no scale");
}

void settle(PlanMap& map) {
  QTest::qWait(20);
  map.grab();
}

}  // namespace

class TestMapLabels : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void textsStandApartAtEverySize_data() {
    QTest::addColumn<bool>("paths");
    QTest::addColumn<int>("rows");
    QTest::newRow("widths") << false << int(PlanRows::width);
    QTest::newRow("widths, with Toeplitz forms") << true << int(PlanRows::width);
    QTest::newRow("paths") << true << int(PlanRows::path);
    QTest::newRow("implementations") << true << int(PlanRows::implementation);
  }
  void textsStandApartAtEverySize() {
    QFETCH(const bool, paths);
    QFETCH(const int, rows);
    PlanMap map;
    map.setRows(PlanRows(rows));
    map.setData(sweep(paths));
    map.show();
    int before = 0;
    for (const QSize& size : sizes) {
      map.resize(size);
      settle(map);
      for (const QCPAxis* axis : {map.xAxis, map.yAxis}) {
        const QByteArray where = QByteArray::number(size.width()) + " × " + QByteArray::number(size.height());
        QVERIFY2(leastGap(*axis) >= -1, where + ": " + QByteArray::number(leastGap(*axis)));
        QVERIFY2(texts(*axis) > 0, where);
      }
      const QCPAxis& scale = *scaleOf(map).axis();
      QVERIFY(leastGap(scale) >= -1);
      if (size.height() > 200) QVERIFY2(texts(scale) >= 2, QByteArray::number(texts(scale)));
      QVERIFY(texts(*map.xAxis) + 1 >= before);  // a larger map says no less
      before = texts(*map.xAxis);
    }
    QVERIFY(before >= 5);
    // And back: it does not keep what a larger one had.
    map.resize(sizes[0]);
    settle(map);
    QVERIFY(leastGap(*map.xAxis) >= -1 && leastGap(*map.yAxis) >= -1);
  }

  // A chart for a file is laid out once, at a size that it never had on the screen.
  void filesHaveThemApart() {
    for (const QSize& size : sizes) {
      PlanMap map;
      map.setData(sweep(true));
      map.toPixmap(size.width(), size.height());
      QVERIFY(leastGap(*map.xAxis) >= -1 && leastGap(*map.yAxis) >= -1);
      QVERIFY(texts(*map.xAxis) >= 1);
      if (size.width() > 800) QVERIFY(texts(*map.xAxis) >= 5 && texts(*map.yAxis) >= 4);
    }
  }

  void zoomingKeepsThemApart() {
    PlanMap map;
    map.resize(460, 300);
    map.setData(sweep(true));
    map.show();
    settle(map);
    for (const double range : {40.0, 20.0, 3.0}) {
      map.xAxis->setRange(-range / 4, range);
      map.yAxis->setRange(-range / 2, range);
      map.replot();
      settle(map);
      QVERIFY(leastGap(*map.xAxis) >= -1 && leastGap(*map.yAxis) >= -1);
    }
  }
};

SPOKELAB_GUI_TEST(TestMapLabels)

}  // namespace test_map_labels

#include "test_map_labels.moc"
