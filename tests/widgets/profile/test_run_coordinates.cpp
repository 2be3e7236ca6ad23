// Runs over parallel axes: a range of an axis filters lines and table; both share hover and pin.
#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/core/chart_theme.h"
#include "widgets/profile/runs/run_coordinates.h"
#include "widgets/profile/runs/run_table.h"
#include "widgets/profile/runs/run_table_model.h"

namespace test_run_coordinates {

using namespace spokelab;

namespace {

using Axes = RunCoordinates;

Candidate timedPlan(double alpha, double width, double seconds, double error) {
  Candidate plan = sampleCandidate(alpha, width);
  plan.timings[Stage::spread] = seconds;
  plan.timings.total = seconds;
  plan.seconds = 0;
  plan.runs = {seconds};
  plan.repeats = 1;
  plan.measuredError = error;
  return plan;
}

TimedRun run(int number, std::vector<Candidate> plans, Direction direction = Direction::adjoint) {
  TimedRun made;
  made.number = number;
  auto timed = std::make_shared<TuneResult>();
  timed->candidates = std::move(plans);
  timed->best = 0;
  timed->workload.direction = direction;
  made.timed = timed;
  return made;
}

// Three plans of one run, one of a second, one of another workload.
std::vector<TimedRun> runs() {
  return {
      run(1, {timedPlan(1.25, 7, 0.010, 1e-4), timedPlan(1.5, 5, 0.020, 1e-3), timedPlan(2, 4, 0.100, 1e-2)}),
      run(2, {timedPlan(1.75, 6, 0.050, 1e-5)}), run(3, {timedPlan(1.5, 6, 9, 1e-3)}, Direction::normal)};
}

struct Shown {
  RunTable table;
  Axes& axes = *table.coordinates();

  Shown() {
    table.resize(1200, 300);
    table.show();
    table.setRuns(runs());
    table.findChild<QCheckBox*>(QStringLiteral("everyPlan"))->setChecked(true);
    QTest::qWait(0);
  }
  // Of the rows that the table shows.
  std::set<double> alphas() const {
    std::set<double> found;
    const auto* shown = table.table()->model();
    for (int row = 0; row < shown->rowCount(); ++row)
      found.insert(shown->index(row, RunTableModel::alphaColumn).data(RunTableModel::sortRole).toDouble());
    return found;
  }
  void drag(const QPointF& from, const QPointF& to) {
    QTest::mousePress(&axes, Qt::LeftButton, {}, from.toPoint());
    QMouseEvent move(QEvent::MouseMove, to, axes.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&axes, &move);
    QTest::mouseRelease(&axes, Qt::LeftButton, {}, to.toPoint());
  }
  void hover(const QPointF& place) {
    QMouseEvent move(QEvent::MouseMove, place, axes.mapToGlobal(place), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(&axes, &move);
  }
  // Between two axes, on a row's line.
  QPointF onLine(int row) const {
    return (axes.pointOf(row, Axes::timeAxis) + axes.pointOf(row, Axes::errorAxis)) / 2;
  }
  QColor colourAt(const QPointF& place) {
    const QImage picture = axes.grab().toImage();
    const double scale = picture.width() / double(axes.width());
    return picture.pixelColor((place * scale).toPoint());
  }
};

double far(const QColor& a, const QColor& b) {
  return std::abs(a.redF() - b.redF()) + std::abs(a.greenF() - b.greenF()) + std::abs(a.blueF() - b.blueF());
}

}  // namespace

class TestRunCoordinates : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void linesAreThePlansOfOneWorkload() {
    Shown shown;
    QCOMPARE(shown.axes.drawn(), 4);
    QCOMPARE(shown.axes.ofOthers(), 1);
    // A row of the other workload, chosen in the table, brings its axis.
    const auto* model = shown.table.table()->model();
    for (int row = 0; row < model->rowCount(); ++row)
      if (model->index(row, RunTableModel::workloadColumn)
              .data()
              .toString()
              .contains(QStringLiteral("normal")))
        shown.table.table()->setCurrentIndex(model->index(row, 0));
    QCOMPARE(shown.axes.drawn(), 1);
    QCOMPARE(shown.axes.ofOthers(), 4);
    // A pinned row keeps its own.
    shown.table.model()->setPinned(0);
    QCOMPARE(shown.axes.drawn(), 4);
  }

  void smallNumbersAreAtTheBottomTimeAndErrorInDecades() {
    Shown shown;
    const double y[] = {shown.axes.pointOf(0, Axes::timeAxis).y(), shown.axes.pointOf(1, Axes::timeAxis).y(),
                        shown.axes.pointOf(2, Axes::timeAxis).y()};
    QVERIFY(y[0] > y[1] && y[1] > y[2]);  // 10, 20, 100 ms
    QVERIFY(std::abs((y[0] - y[1]) / (y[0] - y[2]) - std::log10(2)) < 1e-6);
    const auto& alpha = shown.axes.axis(Axes::alphaAxis);
    QCOMPARE(alpha.low, 1.25);
    QCOMPARE(alpha.high, 2.0);
  }

  void aDragOnAnAxisFiltersLinesAndTableAndAClickLetsAllThrough() {
    Shown shown;
    QCOMPARE(shown.alphas(), (std::set<double>{1.25, 1.5, 1.75, 2}));
    const QPointF fast = shown.axes.pointOf(0, Axes::timeAxis), next = shown.axes.pointOf(1, Axes::timeAxis);
    shown.drag(fast + QPointF(0, 3), (fast + next) / 2);  // 10 ms alone
    QCOMPARE(shown.alphas(), std::set<double>{1.25});
    QVERIFY(shown.axes.passes(0) && !shown.axes.passes(1));
    auto* all = shown.table.findChild<QPushButton*>(QStringLiteral("allRanges"));
    QVERIFY(all->isVisible());
    // A second range on another axis leaves what lies in both.
    shown.axes.setBrush(Axes::errorAxis, ParallelAxis::Range(1e-6, 1e-5));
    QCOMPARE(shown.alphas(), std::set<double>{});
    shown.axes.setBrush(Axes::errorAxis, {});
    const QPointF empty = shown.axes.pointOf(2, Axes::timeAxis);
    QTest::mouseClick(&shown.axes, Qt::LeftButton, {}, empty.toPoint());
    QCOMPARE(shown.table.table()->model()->rowCount(), 5);
    QVERIFY(!all->isVisible());
  }

  void aRangeMovesAsAWhole() {
    Shown shown;
    shown.axes.setBrush(Axes::alphaAxis, ParallelAxis::Range(1.2, 1.6));
    QCOMPARE(shown.alphas(), (std::set<double>{1.25, 1.5}));
    const QPointF inside = shown.axes.pointOf(1, Axes::alphaAxis),
                  top = shown.axes.pointOf(2, Axes::alphaAxis);
    const auto before = *shown.axes.axis(Axes::alphaAxis).brush;
    shown.drag(inside, top);
    const auto after = *shown.axes.axis(Axes::alphaAxis).brush;
    QVERIFY(std::abs((after.second - after.first) - (before.second - before.first)) < 1e-9);
    QVERIFY(std::abs(after.second - 2) < 1e-9);
    QCOMPARE(shown.alphas(), (std::set<double>{1.75, 2}));
  }

  void methodsAreNamedOnTheirAxis() {
    Shown shown;
    std::vector<TimedRun> more = runs();
    Candidate other = timedPlan(1.5, 5, 0.03, 1e-3);
    other.options.spread = other.options.spread == Method::blocked ? Method::sparse : Method::blocked;
    more.push_back(run(4, {other}));
    shown.table.setRuns(more);
    const auto& methods = shown.axes.axis(Axes::methodAxis);
    QCOMPARE(methods.names.size(), 2);
    const auto ticks = methods.ticks({0, 1}, 4);
    QCOMPARE(ticks.size(), 2U);
    QCOMPARE(ticks[0].text, methods.names[0]);
    shown.axes.setBrush(Axes::methodAxis, ParallelAxis::Range(0.5, 1.5));
    QCOMPARE(shown.table.table()->model()->rowCount(),
             methods.names[1] == QString::fromUtf8(methodName(other.options.spread).data()) ? 1 : 4);
  }

  void hoverPinAndCurrentRowAreSharedWithTheTable() {
    Shown shown;
    const QPointF place = shown.onLine(2);
    const QColor before = shown.colourAt(place + QPointF(0, 1));
    shown.hover(place);
    QCOMPARE(shown.table.model()->hovered(), 2);
    QVERIFY(far(before, shown.colourAt(place + QPointF(0, 1))) > 0.05);  // the line is thicker
    const QModelIndex row = shown.table.model()->index(2, 0);
    QVERIFY(row.data(Qt::BackgroundRole).isValid());
    QVERIFY(!shown.table.model()->index(1, 0).data(Qt::BackgroundRole).isValid());
    Q_EMIT shown.table.table()->entered(shown.table.table()->model()->index(0, 0));
    QVERIFY(shown.table.model()->hovered() >= 0 && shown.table.model()->hovered() != 2);
    QSignalSpy chosen(&shown.table, &RunTable::runChosen);
    QTest::mouseClick(&shown.axes, Qt::LeftButton, {}, place.toPoint());
    QCOMPARE(
        shown.table.table()->currentIndex().siblingAtColumn(RunTableModel::alphaColumn).data().toString(),
        QStringLiteral("2"));
    QVERIFY(chosen.isEmpty());
    QTest::mouseDClick(&shown.axes, Qt::LeftButton, {}, place.toPoint());
    QCOMPARE(chosen.count(), 1);
    // The pinned row is drawn over the others in the colour of words.
    shown.table.model()->setHovered(-1);
    shown.table.model()->setPinned(0);
    const QPointF node = shown.axes.pointOf(0, Axes::timeAxis);
    QVERIFY(far(shown.colourAt(node), ChartTheme::onScreen().foreground) < 0.1);
  }

  void wordsOfTheFilterTakeLinesAway() {
    Shown shown;
    shown.table.findChild<QLineEdit*>(QStringLiteral("runFilter"))->setText(QStringLiteral("1.75"));
    QCOMPARE(shown.axes.drawn(), 1);
    shown.table.findChild<QLineEdit*>(QStringLiteral("runFilter"))->clear();
    QCOMPARE(shown.axes.drawn(), 4);
  }

  void keysGoFromAxisToAxisAndFromLineToLine() {
    Shown shown;
    shown.table.activateWindow();
    shown.axes.setFocus();
    QSignalSpy chosen(&shown.table, &RunTable::runChosen);
    QStringList seen;
    for (int i = 0; i < 4; ++i) {
      QTest::keyClick(&shown.axes, Qt::Key_Up);
      seen
          << shown.table.table()->currentIndex().siblingAtColumn(RunTableModel::timeColumn).data().toString();
    }
    QCOMPARE(seen, (QStringList{QStringLiteral("10.0 ms"), QStringLiteral("20.0 ms"),
                                QStringLiteral("50.0 ms"), QStringLiteral("100 ms")}));
    QTest::keyClick(&shown.axes, Qt::Key_Right);  // along the errors
    QTest::keyClick(&shown.axes, Qt::Key_Down);
    QCOMPARE(shown.table.table()->currentIndex().siblingAtColumn(RunTableModel::timeColumn).data().toString(),
             QStringLiteral("20.0 ms"));
    QTest::keyClick(&shown.axes, Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    shown.axes.setBrush(Axes::alphaAxis, ParallelAxis::Range(1.2, 1.3));
    QTest::keyClick(&shown.axes, Qt::Key_0);
    QVERIFY(!shown.axes.isBrushed());
  }

  void axesThatAreHiddenFilterNothing() {
    Shown shown;
    shown.axes.setBrush(Axes::alphaAxis, ParallelAxis::Range(1.2, 1.3));
    QCOMPARE(shown.table.table()->model()->rowCount(), 1);
    shown.table.findChild<QPushButton*>(QStringLiteral("runAxes"))->click();
    QVERIFY(!shown.axes.isVisible());
    QCOMPARE(shown.table.table()->model()->rowCount(), 5);
  }

  // Seen before: an axis of errors from 0.00046 to 0.00046.
  void valuesThatReadAlikeAreOnePlace() {
    ParallelAxis axis;
    axis.scale = AxisScale::decades;
    axis.text = [](double value) { return QString::number(value, 'g', 2); };
    const std::vector<double> values = {4.56e-4, 4.62e-4};
    axis.cover(values);
    QVERIFY(std::abs(axis.placeOf(values[0]) - axis.placeOf(values[1])) < 0.05);
    QStringList texts;
    for (const ParallelAxis::Tick& tick : axis.ticks(values, 5)) texts << tick.text;
    QVERIFY(!texts.isEmpty());
    QCOMPARE(texts.removeDuplicates(), qsizetype(0));
  }

  // Both ends may be ticks: 0 to 10 in steps of 2 has six.
  void ticksAreAtMostAsManyAsAskedFor() {
    for (const double high : {1.0, 3.0, 7.0, 10.0, 24.0})
      for (int most = 1; most <= 9; ++most) {
        ParallelAxis axis;
        axis.text = [](double value) { return QString::number(value); };
        std::vector<double> values;
        for (int i = 0; i <= 100; ++i) values.push_back(high * i / 100);
        axis.cover(values);
        const auto ticks = axis.ticks(values, most);
        QVERIFY2(!ticks.empty() && int(ticks.size()) <= most,
                 qPrintable(QStringLiteral("%1 of %2 to %3").arg(ticks.size()).arg(most).arg(high)));
      }
  }

  void ticksReadAsNumbersWhereValuesAreCrowded() {
    ParallelAxis axis;
    axis.text = [](double value) { return QString::number(value); };
    std::vector<double> values;
    for (int i = 0; i <= 100; ++i) values.push_back(1 + 0.0101 * i);
    axis.cover(values);
    QStringList texts;
    for (const ParallelAxis::Tick& tick : axis.ticks(values, 5)) texts << tick.text;
    QCOMPARE(texts, (QStringList{QStringLiteral("1"), QStringLiteral("1.5"), QStringLiteral("2")}));
    axis.scale = AxisScale::decades;
    const std::vector<double> wide = {1e-6, 1.1e-6, 0.9};
    axis.cover(wide);
    texts.clear();
    for (const ParallelAxis::Tick& tick : axis.ticks(wide, 4)) texts << tick.text;
    QCOMPARE(texts, (QStringList{QStringLiteral("1e-06"), QStringLiteral("0.0001"), QStringLiteral("0.01")}));
  }
};

SPOKELAB_GUI_TEST(TestRunCoordinates)

}  // namespace test_run_coordinates

#include "test_run_coordinates.moc"
