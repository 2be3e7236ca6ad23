// A sweep stays in the charts until another run of the scan takes its place, comes back with its
// results, and goes when it is cleared.
#include <QComboBox>

#include "tests/app/gui/workbench.h"
#include "widgets/profile/charts/chart_panel.h"

using namespace spokelab;

namespace {

std::size_t plans(const Workbench& bench) {
  return bench.window.views().charts->data().candidates.size();
}

void finish(Workbench& bench) {
  QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
}

void sweep(Workbench& bench) {
  bench.window.features().explorer->sweep();
  QTRY_VERIFY_WITH_TIMEOUT(bench.session.jobs().busy(JobKind::sweep), patience);
  finish(bench);
}

void reconstruct(Workbench& bench, const ReconOptions& options, int results) {
  bench.window.views().parameters->setOptions(options);
  bench.window.features().reconstruct->run();
  QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), results, patience);
  finish(bench);
}

ReconOptions oneGivenPlan() {
  ReconOptions options;
  options.nufft.accuracy = 1e-2;
  options.nufft.alpha = 1.5;
  options.nufft.width = 5;
  return options;
}

}  // namespace

class TestChartRuns : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aSweepOutlivesAReconstructionThatTimesNothing() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    sweep(bench);
    const std::size_t swept = plans(bench);
    QVERIFY2(swept > 10, qPrintable(QString::number(swept)));
    reconstruct(bench, oneGivenPlan(), 2);
    QCOMPARE(plans(bench), swept);
    ReconOptions exact;
    exact.exact = true;
    reconstruct(bench, exact, 3);
    QCOMPARE(plans(bench), swept);
  }

  void aResultBringsItsRunBack() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    const std::size_t tuned = plans(bench);
    sweep(bench);
    const std::size_t swept = plans(bench);
    reconstruct(bench, oneGivenPlan(), 2);
    QVERIFY(tuned > 1 && swept != tuned);
    Q_EMIT bench.window.views().history->showRequested(1);
    QCOMPARE(plans(bench), tuned);
    Q_EMIT bench.window.views().history->showRequested(2);
    QCOMPARE(plans(bench), swept);
    // Another tuning takes its place, and the sweep can be chosen again.
    ReconOptions finer;
    finer.nufft.accuracy = 1e-4;
    reconstruct(bench, finer, 3);
    QVERIFY(plans(bench) != swept);
    auto* runs = bench.window.findChild<QComboBox*>(QStringLiteral("chartRuns"));
    QVERIFY(runs);
    QCOMPARE(runs->count(), 4);  // three runs, and the entry that clears
    runs->setCurrentIndex(1);
    Q_EMIT runs->activated(1);
    QCOMPARE(plans(bench), swept);
  }

  void aClearedRunIsGoneAndTheOthersAreNot() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    const std::size_t tuned = plans(bench);
    sweep(bench);
    auto* runs = bench.window.findChild<QComboBox*>(QStringLiteral("chartRuns"));
    Q_EMIT runs->activated(runs->count() - 1);
    QCOMPARE(plans(bench), std::size_t(0));
    QCOMPARE(runs->count(), 1);
    Q_EMIT bench.window.views().history->showRequested(1);
    QCOMPARE(plans(bench), tuned);
  }
};

SPOKELAB_WINDOW_TEST(TestChartRuns)
#include "test_chart_runs.moc"
