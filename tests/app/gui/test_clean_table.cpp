// What a new scan finds: its own parameters, regions, iterations and decisions, and nothing of the
// last one in silence.
#include <QDockWidget>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>

#include "app/gui/features/banner.h"
#include "app/gui/features/window_layout.h"
#include "app/gui/window/layout_menu.h"
#include "engine/profile/runs/timed_run.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/display/measurement.h"
#include "widgets/image/display/orientation.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/recon/jobs/iteration_view.h"
#include "widgets/recon/parameters/kept_bar.h"
#include "widgets/recon/scan/decision_model.h"
#include "widgets/recon/scan/scan_panel.h"

namespace test_clean_table {

using namespace spokelab;

namespace {

QString otherScan(const QTemporaryDir& folder) {
  SimulateOptions options;
  options.trajectory.matrix = {40, 40, 1};
  const QString file = folder.filePath(QStringLiteral("other.h5"));
  writeScan(*simulate(options, {}), file.toStdString(), {});
  return file;
}

void openNext(Workbench& bench, const QString& file) {
  QSignalSpy ready(&bench.session, &Session::scanReady);
  bench.window.open(file);
  QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, patience);
  QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
}

ReconOptions senseByHand() {
  ReconOptions options;
  options.nufft.accuracy = 1e-2;
  options.nufft.alpha = 1.88;
  options.iterative.method = ReconMethod::sense;
  options.iterative.solver.iterations = 3;
  return options;
}

QPushButton* button(Workbench& bench, const char* name) {
  return bench.window.views().parameters->findChild<QPushButton*>(QString::fromLatin1(name));
}

}  // namespace

class TestCleanTable : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aNewScanStartsAutomaticAndGridded() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder, senseByHand());
    KeptBar& kept = *bench.window.views().parameters->kept();
    QVERIFY(kept.isHidden());  // the first scan takes what was set before it
    QCOMPARE(bench.results().newest()->result->options.iterative.method, ReconMethod::sense);
    openNext(bench, otherScan(folder));
    const ReconOptions& now = bench.window.views().parameters->options();
    QCOMPARE(now.nufft.alpha, 0.0);
    QCOMPARE(now.iterative.method, ReconMethod::gridding);
    QCOMPARE(now.nufft.accuracy, 1e-2);  // a wish that any scan can meet
    QCOMPARE(bench.results().newest()->result->options.iterative.method, ReconMethod::gridding);
    QVERIFY(kept.isVisible());
    QVERIFY2(kept.text().contains(QStringLiteral("1.88")) && kept.text().contains(QStringLiteral("sense")),
             qPrintable(kept.text()));
    keepPicture(*bench.window.views().parameters, "kept");
    QTest::mouseClick(button(bench, "keptKeep"), Qt::LeftButton);
    QCOMPARE(bench.window.views().parameters->options().nufft.alpha, 1.88);
    QCOMPARE(bench.window.views().parameters->options().iterative.method, ReconMethod::sense);
    QVERIFY(kept.isHidden());
    openNext(bench, smallScan(folder));
    QVERIFY(kept.isVisible());
    QTest::mouseClick(button(bench, "keptReset"), Qt::LeftButton);
    QVERIFY(kept.isHidden());
    QCOMPARE(bench.window.views().parameters->options().nufft.alpha, 0.0);
  }

  void theSameFileReadAgainIsTheSameScan() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder, senseByHand());
    openNext(bench, smallScan(folder));
    QCOMPARE(bench.window.views().parameters->options().nufft.alpha, 1.88);
    QVERIFY(bench.window.views().parameters->kept()->isHidden());
  }

  void regionsBelongToTheirScan() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    Measurement& measurement = *bench.window.views().measurement;
    const ImageRegion region{{4, 6, 0}, {11, 13, 0}, true, 2};
    measurement.setRegion(region);
    openNext(bench, otherScan(folder));
    QVERIFY(!measurement.region());
    openNext(bench, smallScan(folder));
    QVERIFY(measurement.region() && *measurement.region() == region);
  }

  // Twice the pixels over the same field: the region stays where it is in mm.
  void aRegionKeepsItsPlaceInAnImageOfOtherPixels() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    Measurement& measurement = *bench.window.views().measurement;
    const ImageRegion region{{4, 6, 0}, {11, 13, 0}, false, 2};
    measurement.setRegion(region);
    const HistoryEntry first = *bench.results().newest();
    auto finer = std::make_shared<Image>(*first.result->image);
    finer->size = {64, 64, 1};
    finer->geometry.matrix = {64, 64, 1};
    finer->data.assign(64 * 64, cfloat(1, 0));
    auto result = std::make_shared<Reconstruction>(*first.result);
    result->image = finer;
    bench.session.deliver(bench.session.scan(), result);
    QVERIFY(measurement.region());
    const PixelAxes before = pixelAxes(*first.result->image), now = pixelAxes(*finer);
    for (std::size_t d = 0; d < 2; ++d) {
      const double centre = (double(region.low[d] + region.high[d]) / 2 - 16) * before.spacing[d];
      const double moved =
          (double(measurement.region()->low[d] + measurement.region()->high[d]) / 2 - 32) * now.spacing[d];
      QVERIFY2(std::abs(centre - moved) <= now.spacing[d],
               qPrintable(QStringLiteral("%1 %2").arg(centre).arg(moved)));
      QCOMPARE(measurement.region()->high[d] - measurement.region()->low[d] + 1, std::int64_t(16));
    }
    bench.session.show(first.id);
    QVERIFY(*measurement.region() == region);
  }

  void iterationsOfTheLastScanAreGone() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder, senseByHand());
    auto* view = bench.window.findChild<IterationView*>();
    QTRY_VERIFY_WITH_TIMEOUT(!view->points().empty(), patience);
    openNext(bench, otherScan(folder));
    QVERIFY(view->points().empty());
    QVERIFY(!view->image()->image());
    QVERIFY2(view->status().startsWith(QStringLiteral("No iterations yet")), qPrintable(view->status()));
  }

  void doubtfulDecisionsComeFirstAndAreCounted() {
    Workbench bench;
    auto scan = std::make_shared<Scan>(*radialScan(16, 1, 20));
    for (int i = 0; i < 12; ++i)
      scan->decisions.push_back(
          {"topic-" + std::to_string(i), "choice", "evidence", {"other"}, false, i == 7});
    ScanPanel& panel = *bench.window.views().scan;
    panel.setScan(scan);
    QCOMPARE(panel.model()->index(0).data(TopicRole).toString(), QStringLiteral("topic-7"));
    QCOMPARE(panel.model()->index(1).data(TopicRole).toString(), QStringLiteral("topic-0"));
    QCOMPARE(bench.window.dock(QStringLiteral("scan"))->windowTitle(), QStringLiteral("Scan (1)"));
    panel.list()->scrollToBottom();
    panel.setScan(scan);
    QCOMPARE(panel.list()->verticalScrollBar()->value(), 0);
    scan = std::make_shared<Scan>(*scan);
    scan->decisions.clear();
    panel.setScan(scan);
    QCOMPARE(bench.window.dock(QStringLiteral("scan"))->windowTitle(), QStringLiteral("Scan"));
  }

  void noDockComesInFrontOfAChosenLayout() {
    const QTemporaryDir folder;
    Workbench bench;
    QVERIFY(!bench.window.views().layout->isChosen());
    bench.window.findChild<QAction*>(QStringLiteral("layout-profile"))->trigger();
    QVERIFY(bench.window.views().layout->isChosen());
    QDockWidget* iterations = bench.window.dock(QStringLiteral("iterations"));
    QDockWidget* charts = bench.window.dock(QStringLiteral("profile"));
    iterations->show();
    charts->raise();
    QTRY_VERIFY_WITH_TIMEOUT(!charts->visibleRegion().isEmpty(), patience);
    openSmall(bench, folder, senseByHand());
    QVERIFY(!charts->visibleRegion().isEmpty());
    QVERIFY2(iterations->windowTitle().startsWith(QStringLiteral("●")),
             qPrintable(iterations->windowTitle()));
    keepPicture(bench.window, "marked-tab");
    iterations->raise();
    QTRY_COMPARE_WITH_TIMEOUT(iterations->windowTitle(), QStringLiteral("Iterations"), patience);
  }

  void twoSelectedResultsAreCompared() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    for (int i = 2; i < 4; ++i) {
      bench.window.features().reconstruct->run();
      QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), i, patience);
      QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    }
    bench.window.views().history->select({1, 2});
    bench.window.findChild<QAction*>(QStringLiteral("action-compare"))->trigger();
    QVERIFY(bench.window.views().comparing());
    QCOMPARE(bench.results().shown(), 2);
    QCOMPARE(bench.results().reference(), 1);
  }

  void whatCannotBeSaysItsRangeBelowItsRow() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    ParameterPanel& panel = *bench.window.views().parameters;
    OptionEditor* editor = panel.editor("alpha");
    editor->setValue(QStringLiteral("99"));
    Q_EMIT editor->edited();
    auto* note = panel.findChild<QLabel*>(QStringLiteral("note-alpha"));
    QVERIFY(note);
    QVERIFY2(note->text().contains(QStringLiteral("…")), qPrintable(note->text()));
    QSignalSpy failed(&bench.session, &Session::failed);
    bench.window.features().reconstruct->run();
    QCOMPARE(failed.count(), 1);
    QVERIFY2(failed.front().front().value<Failure>().reason.contains(editor->problem()),
             qPrintable(failed.front().front().value<Failure>().reason));
    editor->setValue(QStringLiteral("1.5"));
    Q_EMIT editor->edited();
    QVERIFY(note->text().isEmpty());
  }

  void aReportIsOfferedToBeOpened() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    bench.window.features().report->write(*bench.session.shown(),
                                          folder.filePath(QStringLiteral("report")).toStdString());
    const Banner& banner = *bench.window.views().banner;
    QTRY_VERIFY_WITH_TIMEOUT(banner.isVisible(), patience);
    QVERIFY(banner.findChild<QToolButton*>(QStringLiteral("bannerOpen"))->isVisible());
    QVERIFY(banner.findChild<QToolButton*>(QStringLiteral("bannerFolder"))->isVisible());
    QVERIFY(banner.text().contains(QStringLiteral("report")));
    Q_EMIT bench.session.failed({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    QVERIFY(!banner.findChild<QToolButton*>(QStringLiteral("bannerOpen"))->isVisible());
  }

  void aMagnitudeHasNoPhaseAndASliceNoZ() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);  // two coils: a root sum of squares
    const QString told = bench.window.views().image->sliceView(Plane::axial)->readout({16, 16, 0});
    QVERIFY2(told.contains(QStringLiteral("no phase")), qPrintable(told));
    QVERIFY2(!told.contains(QStringLiteral("z 0")), qPrintable(told));
  }

  void twoRunsNeverBearOneName() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    std::vector<TimedRun> earlier = bench.window.features().charts->runs();
    earlier.resize(1);
    earlier.front().name = "Result 2";
    bench.window.features().charts->adopt(earlier, 0);
    ReconOptions given;
    given.nufft.accuracy = 1e-2;
    given.nufft.alpha = 1.55;
    given.nufft.width = 5.3;
    bench.window.views().parameters->setOptions(given);
    bench.window.features().reconstruct->run();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    QStringList titles;
    for (const TimedRun& run : bench.window.features().charts->runs()) {
      const QString title = QString::fromStdString(run.title());
      QVERIFY2(!titles.contains(title), qPrintable(title));
      titles << title;
    }
  }
};

SPOKELAB_WINDOW_TEST(TestCleanTable)

}  // namespace test_clean_table

#include "test_clean_table.moc"
