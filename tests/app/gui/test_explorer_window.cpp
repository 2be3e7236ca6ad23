// The explorer in the window: it fills while a sweep runs; a click on a cell is answered with that
// plan's image beside the most accurate one, and with its stages; a session keeps what it shows.
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QToolButton>

#include "engine/profile/session/saved_session.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/explorer_view.h"
#include "widgets/profile/plan_strip.h"
#include "widgets/profile/stage_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace test_explorer_window {

using namespace spokelab;

namespace {

double errorOf(const HistoryEntry& entry) {
  return entry.result->plan.error.relativeL2;
}

}  // namespace

class TestExplorerWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aSweepFillsTheMapAndAClickIsAnswered() {
    const QTemporaryDir folder;
    Workbench bench;
    ReconOptions options;
    options.nufft.threads = 1;
    openSmall(bench, folder, options);
    bench.window.dock(QStringLiteral("explorer-dock"))->raise();
    ExplorerView& view = *bench.window.views().explorer;
    view.findChild<QAction*>(QStringLiteral("explorer-kernels"))->trigger();
    QTest::mouseClick(view.findChild<QToolButton*>(QStringLiteral("explorerSweep")), Qt::LeftButton, {},
                      QPoint(8, 8));
    QVERIFY(bench.session.jobs().busy(JobKind::sweep));
    // Live: cells come while it runs.
    QTRY_VERIFY_WITH_TIMEOUT(view.map()->data().candidates.size() > 3, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(view.map()->data().best >= 0, patience);
    const ProfileData& data = view.map()->data();
    QStringList kernels = planParts(data, PlanRows::kernel);
    QVERIFY(kernels.contains(QStringLiteral("prolate")) && kernels.contains(QStringLiteral("semicircle")));
    QVERIFY(view.choiceText().contains(QStringLiteral("Fastest of")));
    const Candidate& best = data.candidates[std::size_t(data.best)];
    for (const Candidate& c : data.candidates)
      if (c.timed() && c.predicted.bound <= data.accuracy) QVERIFY(best.cost() <= c.cost());
    keepPicture(bench.window, "explorer-window");
    auto* show = view.findChild<QComboBox*>(QStringLiteral("explorerShow"));
    show->setCurrentIndex(3);
    view.map()->replot(QCustomPlot::rpImmediateRefresh);
    keepPicture(view, "explorer-pareto");
    view.map()->setPredictedOver(true);
    view.map()->setRows(PlanRows::kernel);
    show->setCurrentIndex(1);
    view.map()->replot(QCustomPlot::rpImmediateRefresh);
    keepPicture(view, "explorer-predicted");
    view.map()->setPredictedOver(false);
    view.map()->setRows(PlanRows::width);
    show->setCurrentIndex(0);

    // The least accurate plan that is drawn.
    view.map()->replot(QCustomPlot::rpImmediateRefresh);
    int clicked = -1;
    for (int i = 0; i < int(data.candidates.size()); ++i) {
      const QPoint at = view.map()->positionOf(i);
      if (at.isNull() || !data.candidates[std::size_t(i)].timed()) continue;
      if (clicked < 0 || candidateError(data.candidates[std::size_t(i)]) >
                             candidateError(data.candidates[std::size_t(clicked)]))
        clicked = i;
    }
    QVERIFY(clicked >= 0);
    // A click selects it, and says what its image costs; the button makes the image.
    const int before = bench.results().rowCount();
    QTest::mouseClick(view.map(), Qt::LeftButton, {}, view.map()->positionOf(clicked));
    QCOMPARE(bench.window.views().charts->data().selected, clicked);
    QVERIFY(!bench.session.jobs().busy());
    QCOMPARE(bench.results().rowCount(), before);
    auto* strip = view.findChild<PlanStrip*>();
    QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible(), patience);
    QVERIFY2(strip->button()->text().contains(QStringLiteral("about")), qPrintable(strip->button()->text()));
    QTest::mouseClick(strip->button(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 3 && !bench.session.jobs().busy(), patience);
    QVERIFY(bench.window.views().comparing());
    const Candidate& plan = data.candidates[std::size_t(clicked)];
    const Candidate& accurate = data.candidates[std::size_t(mostAccurate(data))];
    const HistoryEntry* shown = bench.results().find(bench.results().shown());
    const HistoryEntry* reference = bench.results().find(bench.results().reference());
    QVERIFY(shown && reference);
    QCOMPARE(shown->result->plan.options.alpha, plan.options.alpha);
    QCOMPARE(shown->result->plan.options.width, plan.options.width);
    QCOMPARE(reference->result->plan.options.width, accurate.options.width);
    for (const HistoryEntry& entry : bench.results().entries())
      QVERIFY(errorOf(*reference) <= errorOf(entry));
    QVERIFY(view.stages()->segment(int(Stage::spread)).width() > 0);
    const int accurateId = reference->id;
    QCOMPARE(bench.window.views().comparison->reference(), accurateId);

    // Another click: the most accurate result is there already.
    bench.window.features().compare->setComparing(false);
    QTest::mouseDClick(view.map(), Qt::LeftButton, {}, view.map()->positionOf(data.best));
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 4 && !bench.session.jobs().busy(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().comparing(), patience);
    QCOMPARE(bench.results().reference(), accurateId);
    QCOMPARE(bench.results().entries().front().id, bench.results().shown());
  }

  void aSessionKeepsWhatTheExplorerShows() {
    Workbench bench;
    auto* show = bench.window.views().explorer->findChild<QComboBox*>(QStringLiteral("explorerShow"));
    auto* rows = bench.window.views().explorer->findChild<QComboBox*>(QStringLiteral("explorerRows"));
    show->setCurrentIndex(2);
    rows->setCurrentIndex(1);
    const SavedSession saved = bench.window.features().state->capture();
    show->setCurrentIndex(0);
    rows->setCurrentIndex(0);
    bench.window.features().state->apply(saved);
    QCOMPARE(show->currentIndex(), 2);
    QCOMPARE(rows->currentIndex(), 1);
  }

  void theReasonOfAChoiceIsKept() {
    Workbench bench;
    TuneResult tuned;
    Candidate plan;
    plan.backend = "cpu";
    plan.options.alpha = 1.5;
    plan.options.width = 4;
    plan.timings.total = 1e-3;
    tuned.candidates = {plan};
    tuned.best = 0;
    tuned.reason = "The only plan timed";
    bench.session.setProfile(tuned, 1e-3);
    const SavedSession saved = bench.window.features().state->capture();
    bench.window.views().charts->clear(1e-3);
    bench.window.features().state->apply(saved);
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().explorer->choiceText().contains(QStringLiteral("The only plan timed")),
        patience);
  }
};

SPOKELAB_WINDOW_TEST(TestExplorerWindow)

}  // namespace test_explorer_window

#include "test_explorer_window.moc"
