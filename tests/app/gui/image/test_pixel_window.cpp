// A pixel that is asked in the window: its answer, the shots that one click leaves out, its point
// spread as a result, and refusals in words.
#include <QAction>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

#include "app/gui/features/banner.h"
#include "app/gui/features/recon/pixel_feature.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/recon/pixel_view.h"

namespace test_pixel_window {

using namespace spokelab;

namespace {

// Shot 7 is spoiled.
QString spoiledScan(const QTemporaryDir& folder) {
  SimulateOptions options;
  options.trajectory.matrix = {32, 32, 1};
  options.coils = 2;
  options.noise = 0.01;
  Scan scan = *simulate(options, {});
  const Trajectory& t = scan.trajectory(0);
  for (int c = 0; c < scan.coils; ++c)
    for (std::int64_t j = t.shotOffsets[7]; j < t.shotOffsets[8]; ++j) scan.data(0, 0, c)[j] *= 30;
  const QString file = folder.filePath(QStringLiteral("spoiled.h5"));
  writeScan(scan, file.toStdString(), {});
  return file;
}

ReconOptions quick() {
  ReconOptions options;
  options.nufft.accuracy = 1e-2;
  options.effort = TuneEffort::estimate;
  return options;
}

void ask(Workbench& bench, const Index3& pixel) {
  SliceView& view = *bench.window.views().image->sliceView(Plane::axial);
  QTest::mouseClick(&view, Qt::LeftButton, Qt::ControlModifier, view.voxelToWidget(pixel).toPoint());
}

}  // namespace

class TestPixelWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aClickAsksAndAnotherLeavesTheSpoiledShotOut() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.resize(1500, 950);
    bench.window.views().parameters->setOptions(quick());
    bench.window.open(spoiledScan(folder));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    PixelView& view = *bench.window.features().pixel->view();
    QVERIFY(!view.answer());
    ask(bench, {18, 13, 0});
    QTRY_VERIFY_WITH_TIMEOUT(view.answer(), patience);
    QVERIFY(bench.window.dock(QStringLiteral("pixel"))->isVisible());
    const PixelAnswer& answer = view.answer()->answer;
    QCOMPARE(answer.pixel, (Index3{18, 13, 0}));
    QCOMPARE(bench.window.views().image->cursorIndex(), (Index3{18, 13, 0}));
    // The plan of the shown result.
    const PlanInfo& plan = bench.results().find(1)->result->plan;
    QCOMPARE(answer.alpha, plan.options.alpha);
    QCOMPARE(answer.width, plan.options.width);
    const double shown = std::abs(cdouble(bench.window.views().image->image()->data[13 * 32 + 18]));
    QVERIFY2(std::abs(answer.value / shown - 1) < 0.1, qPrintable(QString::number(answer.value / shown)));
    QCOMPARE(view.chosenShots(), std::vector<int>{7});
    QTest::qWait(100);
    keepPicture(bench.window, "pixel");
    auto* leave = view.findChild<QPushButton*>(QStringLiteral("pixelLeaveOut"));
    QVERIFY(leave->isEnabled() && leave->text().contains(QStringLiteral("7")));
    QTest::mouseClick(leave, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    QVERIFY(bench.results().find(2)->result->options.shots.starts_with("0-6,8-"));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    // The point spread becomes a result, which has a command line.
    QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("pixelKeep")), Qt::LeftButton);
    QCOMPARE(bench.results().rowCount(), 3);
    const auto& spread = bench.results().find(3)->result;
    QCOMPARE(spread->origin, ResultOrigin::pointSpread);
    QCOMPARE(spread->image->size, (Index3{32, 32, 1}));
    bench.window.features().results->copyCommand(3);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("ask")));
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("--pixel 18,13")));
    // An image that was not reconstructed is not asked.
    QSignalSpy failures(&bench.session, &Session::failed);
    ask(bench, {3, 3, 0});
    QCOMPARE(failures.count(), 1);
  }

  void anActionAsksTheCursor() {
    const QTemporaryDir folder;
    Workbench bench;
    QSignalSpy failures(&bench.session, &Session::failed);
    bench.window.features().pixel->action()->trigger();
    QCOMPARE(failures.count(), 1);  // nothing is shown
    openSmall(bench, folder);
    bench.window.views().image->setCursorIndex({20, 11, 0});
    bench.window.features().pixel->action()->trigger();
    PixelView& view = *bench.window.features().pixel->view();
    QTRY_VERIFY_WITH_TIMEOUT(view.answer(), patience);
    QCOMPARE(view.answer()->answer.pixel, (Index3{20, 11, 0}));
    QVERIFY(view.chosenShots().empty());
    QVERIFY(!view.findChild<QPushButton*>(QStringLiteral("pixelLeaveOut"))->isEnabled());
    auto* shots = view.findChild<QTreeWidget*>(QStringLiteral("pixelShots"));
    shots->topLevelItem(0)->setSelected(true);
    shots->topLevelItem(1)->setSelected(true);
    QCOMPARE(view.chosenShots().size(), std::size_t(2));
    QVERIFY(view.findChild<QPushButton*>(QStringLiteral("pixelLeaveOut"))->isEnabled());
  }
};

SPOKELAB_WINDOW_TEST(TestPixelWindow)

}  // namespace test_pixel_window

#include "test_pixel_window.moc"
