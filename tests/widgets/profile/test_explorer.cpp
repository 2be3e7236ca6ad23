// The α×W explorer: what its map shows, over which rows and of which plans; the Pareto front;
// mouse, keyboard and what a screen reader is told; what a session keeps of it.
#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include <algorithm>

#include "tests/test_main.h"
#include "tests/widgets/profile/sample_candidates.h"
#include "widgets/core/candidate_text.h"
#include "widgets/core/number_text.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/explorer_view.h"
#include "widgets/profile/stage_view.h"

namespace test_explorer {

using namespace spokelab;

namespace {

constexpr int refusedIndex = 20;  // of sampleSweep()

// The sweep, and at each α a prolate kernel, stored values and full matrices.
ProfileData wideSweep() {
  ProfileData data;
  data.candidates = sampleSweep();
  for (auto& candidate : data.candidates) candidate.memory = std::int64_t(1e6 * candidate.options.alpha);
  for (const double alpha : {1.25, 1.5, 2.0}) {
    Candidate prolate = sampleCandidate(alpha, 4);
    prolate.options.kernel = KernelType::prolate;
    prolate.memory = std::int64_t(1e6 * alpha);
    data.candidates.push_back(prolate);
    Candidate stored = sampleCandidate(alpha, 5);
    stored.options.precomputation = Precomputation::tensor;
    stored.memory = std::int64_t(5e6);
    data.candidates.push_back(stored);
    Candidate matrix = sampleCandidate(alpha, 6);
    matrix.options.spread = matrix.options.interpolate = Method::sparse;
    matrix.memory = std::int64_t(9e7);
    data.candidates.push_back(matrix);
  }
  for (auto& candidate : data.candidates) candidate.predictedSeconds = 1.3 * candidate.timings.total;
  data.accuracy = 1e-3;
  data.best = 9;
  return data;
}

template <class Widget>
Widget* part(QWidget& view, const char* name) {
  auto* found = view.findChild<Widget*>(QString::fromLatin1(name));
  if (!found) qFatal("no %s", name);
  return found;
}

void choose(QWidget& view, const char* box, const QString& text) {
  auto* combo = part<QComboBox>(view, box);
  const int index = combo->findText(text);
  QVERIFY2(index >= 0, qPrintable(text));
  combo->setFocus();
  QTest::keyClick(combo, Qt::Key_Home);
  for (int i = 0; i < index; ++i) QTest::keyClick(combo, Qt::Key_Down);
  QCOMPARE(combo->currentText(), text);
}

struct Shown {
  ExplorerView view;
  Shown() {
    view.resize(1100, 320);
    view.show();
    view.setData(wideSweep());
    QTest::qWait(50);  // one queued repaint
  }
  PlanMap& map() { return *view.map(); }
};

// The colour in the middle of a cell, between its marks.
QRgb colourAt(PlanMap& map, const QPoint& at) {
  map.replot(QCustomPlot::rpImmediateRefresh);
  return map.grab().toImage().pixel(at);
}

}  // namespace

class TestExplorer : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void nothingOfTheParetoFrontIsBeaten() {
    const ProfileData data = wideSweep();
    const auto by = dominators(data, {});
    const auto worse = [&](int a, int b) {  // b in all as good, in one better
      const Candidate &x = data.candidates[std::size_t(a)], &y = data.candidates[std::size_t(b)];
      const double e[] = {candidateError(x), candidateError(y)};
      return y.timings.total <= x.timings.total && e[1] <= e[0] && y.memory <= x.memory &&
             (y.timings.total < x.timings.total || e[1] < e[0] || y.memory < x.memory);
    };
    int front = 0, beaten = 0;
    for (int i = 0; i < int(by.size()); ++i) {
      if (i == refusedIndex) {
        QCOMPARE(by[std::size_t(i)], -2);
        continue;
      }
      bool any = false;
      for (int j = 0; j < int(by.size()); ++j) any = any || (j != refusedIndex && worse(i, j));
      QCOMPARE(by[std::size_t(i)] >= 0, any);
      if (any) QVERIFY(worse(i, by[std::size_t(i)]));
      ++(any ? beaten : front);
    }
    QVERIFY(front > 0 && beaten > 0);
  }

  void rowsOfNamesShowTheFastestPlanThatMeetsTheAccuracy() {
    const ProfileData data = wideSweep();
    const PlanCells cells = arrangePlans(data, PlanRows::kernel, PlanQuantity::time, {});
    QCOMPARE(cells.names, QStringList({QStringLiteral("kaiser-bessel"), QStringLiteral("prolate")}));
    for (const auto& [place, index] : cells.cells) {
      const Candidate& shown = data.candidates[std::size_t(index)];
      QCOMPARE(planPart(shown, PlanRows::kernel), cells.names[place.second]);
      for (const Candidate& other : data.candidates) {
        const bool same = other.options.alpha == shown.options.alpha && other.timed() &&
                          planPart(other, PlanRows::kernel) == cells.names[place.second];
        if (!same || !meetsAccuracy(other, data.accuracy)) continue;
        QVERIFY(meetsAccuracy(shown, data.accuracy));
        QVERIFY(shown.timings.total <= other.timings.total);
      }
    }
    const PlanCells sources = arrangePlans(data, PlanRows::precomputation, PlanQuantity::time, {});
    QCOMPARE(sources.names, QStringList({QStringLiteral("full matrix"), QStringLiteral("polynomial"),
                                         QStringLiteral("tensor")}));
  }

  void theTunersChoiceIsAlwaysOnTheMap() {
    ProfileData data = wideSweep();
    for (int best = 0; best < int(data.candidates.size()); ++best) {
      if (best == refusedIndex) continue;
      data.best = best;
      for (const PlanRows rows : {PlanRows::width, PlanRows::kernel, PlanRows::implementation})
        for (const PlanQuantity quantity : {PlanQuantity::time, PlanQuantity::pareto}) {
          const auto cells = arrangePlans(data, rows, quantity, {}).cells;
          QVERIFY(
              std::any_of(cells.begin(), cells.end(), [&](const auto& cell) { return cell.second == best; }));
        }
    }
  }

  void aFilterLeavesItsPlansOnly() {
    Shown shown;
    choose(shown.view, "explorerKernel", QStringLiteral("prolate"));
    const PlanMap& map = shown.map();
    int count = 0;
    const QRect area = map.rect();
    QSet<int> seen;
    for (int x = area.left(); x < area.right(); x += 5)
      for (int y = area.top(); y < area.bottom(); y += 5)
        if (const int i = map.candidateAt({x, y}); i >= 0 && !seen.contains(i)) {
          seen << i;
          ++count;
          QCOMPARE(map.data().candidates[std::size_t(i)].options.kernel, KernelType::prolate);
        }
    QCOMPARE(count, 3);
    // New candidates do not undo the choice.
    shown.view.setData(wideSweep());
    QCOMPARE(shown.map().filter().kernel, QStringLiteral("prolate"));
  }

  void aCellThatCannotWorkIsGreyAndSaysWhy() {
    Shown shown;
    const QPoint at = shown.map().positionOf(refusedIndex);
    QVERIFY(!at.isNull());
    const QColor grey = QColor::fromRgb(colourAt(shown.map(), at));
    QCOMPARE(grey, ChartTheme::onScreen().unusable);
    QVERIFY(shown.map().detailsOf(refusedIndex).contains(QStringLiteral("as large as the signal")));
    QTest::mouseMove(&shown.map(), at);
    QMouseEvent move(QEvent::MouseMove, at, shown.map().mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(&shown.map(), &move);
    QCOMPARE(shown.view.described(), refusedIndex);
    QVERIFY(
        part<QLabel>(shown.view, "explorerNote")->text().contains(QStringLiteral("as large as the signal")));
  }

  void theSquareInACellHasTheColourOfThePrediction() {
    Shown shown;
    ProfileData data = wideSweep();
    // Two plans: what is predicted of the one is what was measured of the other.
    data.candidates = {sampleCandidate(1.25, 3), sampleCandidate(2.0, 6)};
    data.best = data.selected = -1;
    data.candidates[0].predictedSeconds = data.candidates[1].timings.total;
    data.candidates[1].predictedSeconds = data.candidates[0].timings.total;
    shown.view.setData(data);
    auto& map = shown.map();
    const QPoint first = map.positionOf(0), second = map.positionOf(1);
    const QPoint beside((second.x() - first.x()) / 3, 0);  // in the cell, not in the square
    const QRgb fast = colourAt(map, first), slow = colourAt(map, second);
    QVERIFY(fast != slow);
    QTest::mouseClick(part<QCheckBox>(shown.view, "explorerPredicted"), Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(map.predictedOver());
    QCOMPARE(colourAt(map, first), slow);
    QCOMPARE(colourAt(map, second), fast);
    QCOMPARE(colourAt(map, first + beside), fast);
    QCOMPARE(colourAt(map, second - beside), slow);
    choose(shown.view, "explorerShow", QStringLiteral("memory"));
    QVERIFY(!part<QCheckBox>(shown.view, "explorerPredicted")->isEnabled());
  }

  void thePlanUnderTheMouseIsDescribedElseTheTunersChoice() {
    Shown shown;
    QCOMPARE(shown.view.described(), 9);
    QVERIFY(shown.view.choiceText().contains(candidateTitle(wideSweep().candidates[9])));
    const QPoint at = shown.map().positionOf(4);
    QMouseEvent move(QEvent::MouseMove, at, shown.map().mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(&shown.map(), &move);
    QCOMPARE(shown.view.described(), 4);
    const Candidate plan = wideSweep().candidates[4];
    QCOMPARE(part<QLabel>(shown.view, "explorerValue00")->text(), secondsLabel(plan.timings.total));
    QCOMPARE(part<QLabel>(shown.view, "explorerValue01")->text(), secondsLabel(plan.predictedSeconds));
    QCOMPARE(part<QLabel>(shown.view, "explorerValue10")->text(), errorLabel(*plan.measuredError));
    QCOMPARE(part<QLabel>(shown.view, "explorerValue11")->text(), errorLabel(plan.predicted.relativeL2));
    QVERIFY(shown.view.stages()->segment(int(Stage::fft)).width() > 0);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&shown.map(), &leave);
    QCOMPARE(shown.view.described(), 9);
  }

  void theKeyboardReachesEveryCellAndChooses() {
    Shown shown;
    PlanMap& map = shown.map();
    QSignalSpy spy(&shown.view, &ExplorerView::candidateChosen);
    QFocusEvent tab(QEvent::FocusIn, Qt::TabFocusReason);
    QCoreApplication::sendEvent(&map, &tab);
    QCOMPARE(map.framed(), 9);  // the tuner's choice
    QTest::keyClick(&map, Qt::Key_Right);
    QCOMPARE(map.framed(), 13);  // the next α, the same W
    QTest::keyClick(&map, Qt::Key_Up);
    QCOMPARE(map.framed(), 14);
    QVERIFY(map.accessibleDescription().contains(candidateTitle(map.data().candidates[14])));
    QCOMPARE(shown.view.described(), 14);
    QTest::keyClick(&map, Qt::Key_Return);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.front().front().toInt(), 14);
    QTest::keyClick(&map, Qt::Key_Home);
    QCOMPARE(map.framed(), 9);
    QSet<int> reached;  // row by row
    for (int i = 0; i < 10; ++i) QTest::keyClick(&map, Qt::Key_Down);
    for (int row = 0; row < 10; ++row) {
      for (int i = 0; i < 10; ++i) QTest::keyClick(&map, Qt::Key_Left);
      for (int i = 0; i < 10; ++i) {
        reached << map.framed();
        QTest::keyClick(&map, Qt::Key_Right);
      }
      QTest::keyClick(&map, Qt::Key_Up);
    }
    const auto cells = arrangePlans(map.data(), PlanRows::width, PlanQuantity::time, {}).cells;
    for (const auto& [place, candidate] : cells)
      QVERIFY2(reached.contains(candidate), qPrintable(QString::number(candidate)));
  }

  // Seen before at 1280 pixels: "all pa", "all k", "all s".
  void controlsOfANarrowViewWrapAndAreWhole() {
    Shown shown;
    ProfileData data = wideSweep();
    for (const Candidate& path : samplePaths()) data.candidates.push_back(path);
    shown.view.setData(data);
    for (const int width : {1400, 1012, 760}) {
      shown.view.resize(width, 320);
      QTest::qWait(20);
      int boxes = 0;
      for (const QComboBox* box : shown.view.findChildren<QComboBox*>()) {
        if (!box->isVisible()) continue;
        ++boxes;
        QVERIFY2(box->width() >= box->sizeHint().width(), qPrintable(box->objectName()));
        QVERIFY2(shown.view.rect().contains({box->mapTo(&shown.view, QPoint()), box->size()}),
                 qPrintable(box->objectName()));
      }
      QCOMPARE(boxes, 6);
      QVERIFY(shown.map().height() > 100);
    }
  }

  void everyControlHasANameForTheScreenReader() {
    Shown shown;
    for (const QWidget* control : shown.view.findChildren<QWidget*>()) {
      if (control->focusPolicy() == Qt::NoFocus || !control->isVisible()) continue;
      if (!qobject_cast<const QComboBox*>(control) && !qobject_cast<const QToolButton*>(control) &&
          !qobject_cast<const PlanMap*>(control))
        continue;
      QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(control));
      QVERIFY(reader);
      QVERIFY2(!reader->text(QAccessible::Name).isEmpty(), qPrintable(control->objectName()));
    }
  }

  void aSweepCanBeAskedForWithMoreThanTheParameters() {
    Shown shown;
    QSignalSpy spy(&shown.view, &ExplorerView::sweepRequested);
    shown.view.findChild<QAction*>(QStringLiteral("explorer-kernels"))->trigger();
    QTest::mouseClick(part<QToolButton>(shown.view, "explorerSweep"), Qt::LeftButton, {}, QPoint(8, 8));
    QCOMPARE(spy.count(), 1);
    const auto breadth = spy.front().front().value<SweepBreadth>();
    QVERIFY(breadth.kernels && !breadth.precomputations && !breadth.implementations);
    QVERIFY(breadth.paths);  // as the tuner does
    shown.view.findChild<QAction*>(QStringLiteral("explorer-paths"))->trigger();
    QVERIFY(!shown.view.breadth().paths);
    ExplorerView other;
    other.setViewState(shown.view.viewState());
    QVERIFY(other.breadth() == shown.view.breadth());
    QMap<QString, QString> earlier;  // of a version that knew no paths
    earlier[QStringLiteral("also")] = QString();
    ExplorerView old;
    old.setViewState(earlier);
    QVERIFY(old.breadth() == SweepBreadth{});
  }

  void pathsStandSideBySideAndOneCanBeChosen() {
    Shown shown;
    auto* box = part<QComboBox>(shown.view, "explorerPath");
    QVERIFY(!box->isVisible());  // there is but one
    ProfileData data;
    data.candidates = samplePaths();
    data.accuracy = 1e-3;
    data.best = 20;
    shown.view.setData(data);
    QVERIFY(box->isVisible());
    QCOMPARE(shown.view.described(), 20);
    QVERIFY(part<QLabel>(shown.view, "explorerTitle")->text().contains(QStringLiteral("Toeplitz padded")));
    QVERIFY(part<QLabel>(shown.view, "explorerNote")->text().contains(QStringLiteral("convolution")));
    QCOMPARE(part<QLabel>(shown.view, "explorerValue11")->text(),
             errorLabel(data.candidates[20].predictedNormalError));
    QVERIFY(shown.view.choiceText().contains(QStringLiteral("Toeplitz padded")));
    choose(shown.view, "explorerPath", QStringLiteral("Toeplitz shifted"));
    QVERIFY(shown.map().positionOf(20).isNull());
    QVERIFY(!shown.map().positionOf(23).isNull());
    ExplorerView other;
    other.setViewState(shown.view.viewState());
    other.setData(data);
    QCOMPARE(other.map()->filter().path, QStringLiteral("Toeplitz shifted"));
  }

  void aForwardTransformSaysWhatAClickShows() {
    Shown shown;
    ProfileData data = wideSweep();
    const auto note = [&] { return part<QLabel>(shown.view, "explorerNote")->text(); };
    for (const Direction direction : {Direction::forward, Direction::adjoint, Direction::both}) {
      Workload workload;
      workload.direction = direction;
      data.workload = workload;
      shown.view.setData(data);
      QCOMPARE(note().contains(QStringLiteral("the adjoint makes")), direction == Direction::forward);
    }
  }

  void whatItShowsIsKeptAndSetAgain() {
    Shown shown;
    choose(shown.view, "explorerShow", QStringLiteral("Pareto front"));
    choose(shown.view, "explorerRows", QStringLiteral("kernel"));
    choose(shown.view, "explorerPrecomputation", QStringLiteral("tensor"));
    part<QCheckBox>(shown.view, "explorerPredicted")->setChecked(true);
    const auto state = shown.view.viewState();
    ExplorerView other;
    other.setViewState(state);  // before there are candidates, as a session does
    other.setData(wideSweep());
    QCOMPARE(other.viewState(), state);
    QCOMPARE(other.map()->quantity(), PlanQuantity::pareto);
    QCOMPARE(other.map()->rows(), PlanRows::kernel);
    QCOMPARE(other.map()->filter().precomputation, QStringLiteral("tensor"));
    QVERIFY(other.map()->predictedOver());
    other.setViewState({{QStringLiteral("show"), QStringLiteral("colour of the sky")}});
    QCOMPARE(other.map()->quantity(), PlanQuantity::pareto);
  }
};

SPOKELAB_GUI_TEST(TestExplorer)

}  // namespace test_explorer

#include "test_explorer.moc"
