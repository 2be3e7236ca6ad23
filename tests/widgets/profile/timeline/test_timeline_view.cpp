// The time line of the scheduler: bars lie where the work was, in its colour; the pointer finds
// them; zoom and drag.
#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include "tests/test_main.h"
#include "widgets/profile/timeline/timeline_chart.h"
#include "widgets/profile/timeline/timeline_view.h"

namespace test_timeline_view {

using namespace spokelab;

namespace {

// Two threads: 0 spreads partition 3 into a copy, then adds it; 1 spreads partitions 0 and 1, then
// waits.
std::shared_ptr<const Timeline> sample() {
  auto t = std::make_shared<Timeline>();
  t->scheduler = "graph";
  t->plan = "cpu blocked";
  t->threads = 4;
  t->workers = 2;
  t->partitions = {2, 2, 1};
  t->points = 700;
  const auto add = [&](int thread, WorkKind kind, std::int64_t partition, std::int64_t points, double begin,
                       double end) {
    WorkInterval i;
    i.thread = thread;
    i.kind = kind;
    i.partition = partition;
    i.position = {partition % 2, partition / 2, 0};
    i.cells = {16, 9, 1};
    i.points = points;
    i.begin = begin;
    i.end = end;
    t->intervals.push_back(i);
  };
  add(0, WorkKind::spreadIntoCopy, 3, 400, 0, 0.006);
  add(1, WorkKind::spread, 0, 200, 0, 0.002);
  add(1, WorkKind::spread, 1, 100, 0.002, 0.004);
  add(0, WorkKind::reduction, 3, 400, 0.008, 0.010);
  return t;
}

QImage pictureOf(TimelineChart& chart) {
  return chart.grab().toImage();
}

}  // namespace

class TestTimelineView : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void barsLieWhereTheWorkWas() {
    TimelineChart chart;
    chart.resize(800, 160);
    chart.setTimeline(sample());
    const QImage picture = pictureOf(chart);
    const ChartTheme theme = ChartTheme::onScreen();
    for (int i = 0; i < 4; ++i) {
      const QPoint centre = chart.barOf(i).center().toPoint();
      QCOMPARE(chart.intervalAt(centre), i);
      QCOMPARE(QColor(picture.pixel(centre)),
               TimelineChart::colourOf(chart.timeline()->intervals[std::size_t(i)].kind, theme));
    }
    // widths are times
    QVERIFY(std::abs(chart.barOf(0).width() / chart.barOf(1).width() - 3) < 1e-6);
    QVERIFY(chart.barOf(0).bottom() < chart.barOf(1).top());  // a row a thread
    // a wait is a gap
    const QPoint gap(int((chart.barOf(0).right() + chart.barOf(3).left()) / 2),
                     int(chart.barOf(0).center().y()));
    QCOMPARE(chart.intervalAt(gap), -1);
    for (const WorkKind kind : {WorkKind::spread, WorkKind::spreadIntoCopy, WorkKind::reduction})
      QVERIFY(QColor(picture.pixel(gap)) != TimelineChart::colourOf(kind, theme));
  }

  void aBarTellsItsPartition() {
    TimelineChart chart;
    chart.setTimeline(sample());
    const QString text = chart.textOf(0);
    for (const char* part :
         {"private copy", "partition 3", "(1, 1)", "16 × 9", "400 samples", "thread 0", "6.00 ms"})
      QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
    QVERIFY(chart.textOf(3).contains(QStringLiteral("added")));
  }

  void zoomKeepsThePlaceUnderThePointer() {
    TimelineChart chart;
    chart.resize(800, 160);
    chart.show();
    chart.setTimeline(sample());
    const QPointF at = chart.barOf(2).center();
    const auto wheel = [&](int delta) {
      QWheelEvent event(at, chart.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier,
                        Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(&chart, &event);
    };
    for (int i = 0; i < 5; ++i) wheel(120);
    QVERIFY(chart.lastSecond() - chart.firstSecond() < 0.005);
    QVERIFY(std::abs(chart.barOf(2).center().x() - at.x()) < 0.5);
    const double first = chart.firstSecond();
    QTest::mousePress(&chart, Qt::LeftButton, {}, {400, 20});
    QMouseEvent move(QEvent::MouseMove, QPointF(380, 20), chart.mapToGlobal(QPointF(380, 20)), Qt::NoButton,
                     Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&chart, &move);
    QVERIFY(chart.firstSecond() > first);
    for (int i = 0; i < 40; ++i) wheel(-120);
    QCOMPARE(chart.firstSecond(), 0.0);
    QCOMPARE(chart.lastSecond(), 0.010);
    for (int i = 0; i < 100; ++i) wheel(120);  // there is an end to it
    QVERIFY(chart.lastSecond() > chart.firstSecond());
    QTest::mouseDClick(&chart, Qt::LeftButton, {}, {400, 20});
    QCOMPARE(chart.lastSecond(), 0.010);
  }

  void theViewSumsItUpAndAsksForMore() {
    TimelineView view;
    QVERIFY(view.summary().isEmpty());
    view.setTimeline(sample());
    for (const char* part : {"2x2 partitions", "1 of them private", "2 of 4 threads", "10 ms", "60 % busy"})
      QVERIFY2(view.summary().contains(QString::fromUtf8(part)), qPrintable(view.summary()));
    QSignalSpy asked(&view, &TimelineView::recordRequested);
    view.recordButton()->click();
    QCOMPARE(asked.count(), 1);
    QVERIFY(view.shownBox()->currentIndex() == 1);
    view.setBusy(true);
    QVERIFY(!view.recordButton()->isEnabled());
    view.setBusy(false);
    view.setTimeline(nullptr);
    QVERIFY(view.summary().isEmpty() && view.recordButton()->isEnabled());
    pictureOf(*view.chart());  // nothing to draw
    auto empty = std::make_shared<Timeline>();
    view.setTimeline(empty);
    pictureOf(*view.chart());
    QCOMPARE(view.chart()->intervalAt({100, 20}), -1);
  }
};

SPOKELAB_GUI_TEST(TestTimelineView)

}  // namespace test_timeline_view

#include "test_timeline_view.moc"
