// The sliders in the charts: a line from the first pixel, a prediction soon after, and on release a
// point; the sweep stays. Runs of other workloads are not drawn on its axis.
#include <QSignalSpy>
#include <QSlider>
#include <QTreeWidget>

#include "app/gui/features/profile/place_feature.h"
#include "tests/app/gui/workbench.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/time_chart.h"
#include "widgets/profile/runs/run_list.h"
#include "widgets/recon/parameters/plan_sliders.h"

namespace test_place_follows {

using namespace spokelab;

namespace {

const ProfileData& charts(const Workbench& bench) {
  return bench.window.views().charts->data();
}

int chosen(const Workbench& bench) {
  return bench.window.features().charts->chosen();
}

void finish(Workbench& bench) {
  QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
}

void sweep(Workbench& bench) {
  bench.window.features().explorer->sweep();
  QTRY_VERIFY_WITH_TIMEOUT(bench.session.jobs().busy(JobKind::sweep), patience);
  finish(bench);
}

QTreeWidgetItem* row(Workbench& bench, const QString& title) {
  const auto found = bench.window.views().charts->runs()->tree()->findItems(title, Qt::MatchExactly);
  return found.isEmpty() ? nullptr : found.front();
}

}  // namespace

class TestPlaceFollows : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aDragIsSeenInTheChartsAndBecomesAPoint() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    sweep(bench);
    const int swept = chosen(bench), plans = int(charts(bench).candidates.size());
    QTest::qWait(300);  // the charts are painted a little later
    QSignalSpy predicted(bench.window.features().place, &PlaceFeature::predicted);
    QSlider& slider = *bench.window.views().sliders->alpha();
    slider.setSliderDown(true);
    slider.setValue(183);
    const PlaceMark& mark = bench.window.views().charts->timeChart()->placeMark();
    QVERIFY(mark.isShown());  // before anything else has happened
    QCOMPARE(mark.at().x, PlanSliders::alphaAt(183));
    QTRY_VERIFY_WITH_TIMEOUT(predicted.count() > 0, patience);
    const auto place = bench.window.features().place->place();
    QVERIFY(place && place->seconds > 0 && place->error > 0 && place->width > 0);
    qInfo("predicted after %.1f ms", predicted.back().front().toDouble());
    keepPicture(*bench.window.views().charts, "place");
    slider.setSliderDown(false);
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 2 && !bench.session.jobs().busy(), patience);
    QCOMPARE(chosen(bench), swept);
    QCOMPARE(charts(bench).firstOfResults, plans);
    QCOMPARE(int(charts(bench).candidates.size()), plans + 1);
    const Candidate& point = charts(bench).candidates.back();
    QVERIFY(point.timed());
    QVERIFY(std::abs(point.options.alpha - PlanSliders::alphaAt(183)) < 1e-9);
    QCOMPARE(charts(bench).selected, plans);
  }

  void aGivenPlanIsAPointWithItsStages() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    sweep(bench);
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    options.nufft.alpha = 1.63;
    options.nufft.width = 5.3;
    bench.window.views().parameters->setOptions(options);
    bench.window.features().reconstruct->run();
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 2 && !bench.session.jobs().busy(), patience);
    QVERIFY(charts(bench).firstOfResults > 0);
    const Candidate& point = charts(bench).candidates.back();
    QCOMPARE(point.options.width, 5.3);
    QVERIFY(point.timings.interpolation() > 0 && point.timings.fft() > 0);
    QVERIFY(point.timings.total <= bench.results().newest()->result->seconds);
    QCOMPARE(charts(bench).selected, int(charts(bench).candidates.size()) - 1);
  }

  void runsOfAnotherWorkloadAreNotDrawn() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    sweep(bench);
    const int swept = chosen(bench);
    const Workload gridding = *charts(bench).workload;
    ReconOptions iterates;
    iterates.nufft.accuracy = 1e-2;
    iterates.iterative.method = ReconMethod::sense;
    iterates.iterative.solver.iterations = 3;
    bench.window.views().parameters->setOptions(iterates);
    bench.window.features().reconstruct->run();
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 2 && !bench.session.jobs().busy(), patience);
    QCOMPARE(chosen(bench), swept);
    QVERIFY(charts(bench).traces.empty());
    QCOMPARE(charts(bench).firstOfResults, -1);
    QTreeWidgetItem* other = row(bench, QStringLiteral("Tuning 3"));
    QVERIFY(other);
    QVERIFY(other->toolTip(0).contains(QStringLiteral("another workload")));
    QVERIFY(other->foreground(0) != row(bench, QStringLiteral("Sweep 2"))->foreground(0));
    // A tick brings the charts to its axis, where the sweep has no place.
    other->setCheckState(0, Qt::Checked);
    QTRY_COMPARE_WITH_TIMEOUT(chosen(bench), 3, patience);
    QVERIFY(!(*charts(bench).workload == gridding));
    QVERIFY(charts(bench).traces.empty());
  }

  void aConvolutionHasAPlaceOfItsOwn() {
    const QTemporaryDir folder;
    Workbench bench;
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    options.iterative.method = ReconMethod::sense;
    options.iterative.transform = TransformKind::toeplitz;
    options.iterative.solver.iterations = 3;
    openSmall(bench, folder, options);
    QVERIFY(!charts(bench).candidates.empty());
    for (const Candidate& plan : charts(bench).candidates) QVERIFY(!pathOf(plan).isGrid());
  }

  void aCancelledSweepEnds() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    bench.window.features().explorer->sweep();
    QTRY_VERIFY_WITH_TIMEOUT(row(bench, QStringLiteral("Sweep 2")), patience);
    QCOMPARE(row(bench, QStringLiteral("Sweep 2"))->text(1), QStringLiteral("running"));
    bench.session.jobs().cancelAll(JobKind::sweep);
    QTRY_VERIFY_WITH_TIMEOUT(
        row(bench, QStringLiteral("Sweep 2"))->text(1).startsWith(QStringLiteral("cancelled")), patience);
    QVERIFY(bench.window.features().charts->find(2)->plans() >= 2);
  }
};

SPOKELAB_WINDOW_TEST(TestPlaceFollows)

}  // namespace test_place_follows

#include "test_place_follows.moc"
