// Every chart zooms by wheel and rectangle, moves, shows all again, and hands its numbers on.
#include <QClipboard>
#include <QtTest>

#include "tests/patience.h"
#include "tests/test_main.h"
#include "tests/widgets/profile/charts/sample_charts.h"

namespace test_zoom_and_copies {

using namespace spokelab;

namespace {

constexpr QSize chartSize(500, 350);

void turnWheel(Chart& chart) {
  const QPoint at = chart.axisRect()->center();
  QWheelEvent event(at, chart.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                    false);
  QCoreApplication::sendEvent(&chart, &event);
}

void drag(Chart& chart, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys = {}) {
  QTest::mousePress(&chart, Qt::LeftButton, keys, from);
  for (const QPoint& at : {(from + to) / 2, to}) {
    QMouseEvent event(QEvent::MouseMove, at, chart.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, keys);
    QCoreApplication::sendEvent(&chart, &event);
  }
  QTest::mouseRelease(&chart, Qt::LeftButton, keys, to);
}

bool close(const QCPRange& a, const QCPRange& b) {
  return std::abs(a.lower - b.lower) < 1e-6 * std::abs(b.size()) &&
         std::abs(a.upper - b.upper) < 1e-6 * std::abs(b.size());
}

// A point of the plot that is on no plan.
QPoint emptyPlace(const Chart& chart) {
  constexpr int step = 5;
  const QRect plot = chart.axisRect()->rect().adjusted(step, step, -step, -step);
  for (int y = plot.top(); y < plot.bottom(); y += step)
    for (int x = plot.left(); x < plot.right(); x += step)
      if (chart.candidateAt({x, y}) < 0) return {x, y};
  return plot.center();
}

QString copied(Chart& chart, const char* action) {
  QContextMenuEvent event(QContextMenuEvent::Keyboard, chart.rect().center(),
                          chart.mapToGlobal(chart.rect().center()));
  QCoreApplication::sendEvent(&chart, &event);
  auto* menu = chart.findChild<QMenu*>();
  QGuiApplication::clipboard()->clear();
  menu->findChild<QAction*>(QString::fromLatin1(action))->trigger();
  delete menu;
  return QGuiApplication::clipboard()->text();
}

}  // namespace

class TestZoomAndCopies : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theWheelZoomsWithTheFocusAlone_data() { addChartNames(); }
  void theWheelZoomsWithTheFocusAlone() {
    QFETCH(QString, name);
    const auto chart = shownAt(name, chartSize);
    chart->clearFocus();
    const QCPRange x = chart->xAxis->range(), y = chart->yAxis->range();
    if (!chart->hasFocus()) {
      turnWheel(*chart);
      QVERIFY(close(chart->xAxis->range(), x) && close(chart->yAxis->range(), y));
    }
    chart->activateWindow();
    chart->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(chart->hasFocus(), patience);
    turnWheel(*chart);
    QVERIFY(chart->xAxis->range().size() < 0.95 * x.size());
    QVERIFY(chart->yAxis->range().size() < 0.95 * y.size());
    // New data leave the zoom, a double click beside the plans ends it.
    const QCPRange zoomed = chart->xAxis->range();
    chart->setData(sampleData());
    QVERIFY(close(chart->xAxis->range(), zoomed));
    QTest::mouseDClick(chart.get(), Qt::LeftButton, {}, emptyPlace(*chart));
    QVERIFY(close(chart->xAxis->range(), x) && close(chart->yAxis->range(), y));
  }

  void aRectangleIsZoomedInto_data() { addChartNames(); }
  void aRectangleIsZoomedInto() {
    QFETCH(QString, name);
    const auto chart = shownAt(name, chartSize);
    const QRect plot = chart->axisRect()->rect();
    const QPoint from = plot.center() - QPoint(60, 40), to = plot.center() + QPoint(50, 30);
    const QCPRange x(chart->xAxis->pixelToCoord(from.x()), chart->xAxis->pixelToCoord(to.x()));
    const QCPRange y(chart->yAxis->pixelToCoord(to.y()), chart->yAxis->pixelToCoord(from.y()));
    QSignalSpy picked(chart.get(), &Chart::candidateSelected);
    drag(*chart, from, to);
    const auto about = [](const QCPRange& is, const QCPRange& wanted) {  // to two pixels
      return std::abs(is.lower - wanted.lower) < 0.05 * wanted.size() &&
             std::abs(is.upper - wanted.upper) < 0.05 * wanted.size();
    };
    QVERIFY(about(chart->xAxis->range(), x));
    QVERIFY(about(chart->yAxis->range(), y));
    QCOMPARE(picked.count(), 0);
  }

  void aDragWithShiftMoves_data() { addChartNames(); }
  void aDragWithShiftMoves() {
    QFETCH(QString, name);
    const auto chart = shownAt(name, chartSize);
    const QPoint from = chart->axisRect()->center(), by(40, -25);
    const double x = chart->xAxis->pixelToCoord(from.x()), y = chart->yAxis->pixelToCoord(from.y());
    drag(*chart, from, from + by, Qt::ShiftModifier);
    QVERIFY(std::abs(chart->xAxis->coordToPixel(x) - (from + by).x()) < 0.5);
    QVERIFY(std::abs(chart->yAxis->coordToPixel(y) - (from + by).y()) < 0.5);
  }

  void whatIsDrawnCanBeCopied_data() { addChartNames(); }
  void whatIsDrawnCanBeCopied() {
    QFETCH(QString, name);
    const auto chart = shownAt(name, chartSize);
    int drawn = 0;
    for (int i = 0; i < int(sampleData().candidates.size()); ++i) drawn += !chart->positionOf(i).isNull();
    QVERIFY(drawn > 3);
    const QStringList csv = copied(*chart, "copy-csv").split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QVERIFY(csv.front().startsWith(QStringLiteral("best,path,backend")));
    QCOMPARE(csv.size(), drawn + 1);
    const QStringList numbers = copied(*chart, "copy-numbers").split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(numbers.size(), drawn + 1);
    const QStringList last = numbers.back().split(QLatin1Char('\t'));
    QCOMPARE(last.size(), numbers.front().split(QLatin1Char('\t')).size());
    bool isNumber = false;
    last.front() == QStringLiteral("nufft") ? last[1].toDouble(&isNumber) : last[0].toDouble(&isNumber);
    QVERIFY(isNumber);
    QGuiApplication::clipboard()->clear();
    QTest::keyClick(chart.get(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), chart->numbers());
    copied(*chart, "copy-picture");
    const QImage picture = QGuiApplication::clipboard()->image();
    QVERIFY(picture.width() >= chart->width());
  }
};

SPOKELAB_GUI_TEST(TestZoomAndCopies)

}  // namespace test_zoom_and_copies

#include "test_zoom_and_copies.moc"
