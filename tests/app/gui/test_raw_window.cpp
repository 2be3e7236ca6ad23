// The samples in the window: what is looked at in the data is looked at in the trajectory and the
// other way round, and both show the same selected shots.
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QPushButton>
#include <QSignalSpy>

#include "app/gui/features/scan/raw_feature.h"
#include "engine/core/number_list.h"
#include "engine/recon/prepare/sample_selection.h"
#include "tests/app/gui/workbench.h"
#include "widgets/core/number_text.h"
#include "widgets/raw/bins_view.h"
#include "widgets/raw/raw_picture_view.h"
#include "widgets/raw/raw_plot.h"
#include "widgets/raw/raw_view.h"
#include "widgets/trajectory/trajectory_view.h"

namespace test_raw_window {

using namespace spokelab;

class TestRawWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aPickedShotIsTheSameInBothViews() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    RawView& data = *bench.window.features().raw->view();
    TrajectoryView& trajectory = *bench.window.views().trajectory;
    QSignalSpy ready(&data, &RawView::pictureReady);
    bench.window.dock(QStringLiteral("data"))->raise();
    QTRY_VERIFY_WITH_TIMEOUT(ready.count() > 0, patience);
    const Trajectory& t = *trajectory.trajectory();
    // From the data to the trajectory.
    QTest::mouseClick(data.picture(), Qt::LeftButton, {}, data.picture()->pointOf({20, 7}).toPoint());
    QCOMPARE(data.place().shot, 7);
    QCOMPARE(trajectory.lookedAt(), t.shotOffsets[7] + data.place().sample);
    QVERIFY(bench.window.views().parameters->options().shots.empty());  // looking selects nothing
    // From the trajectory to the data.
    const std::int64_t far = t.shotOffsets[3] + 1;
    QTest::mouseClick(&trajectory, Qt::LeftButton, {}, trajectory.project(kspacePoint(t, far)).toPoint());
    QCOMPARE(data.place().shot, trajectory.lookedAt() / (t.samples() / t.shots()));
    QCOMPARE(bench.window.views().parameters->options().shots, std::to_string(data.place().shot));
    // In and out of the selection from the data.
    const std::int64_t picked = data.place().shot;
    QTest::mouseClick(data.picture(), Qt::LeftButton, Qt::ControlModifier,
                      data.picture()->pointOf({5, 9}).toPoint());
    QCOMPARE(
        selection(bench.window.views().parameters->options().shots, int(t.shots()), "shots"),
        (std::vector<int>{int(std::min<std::int64_t>(picked, 9)), int(std::max<std::int64_t>(picked, 9))}));
    QTRY_VERIFY_WITH_TIMEOUT(trajectory.isChosen(t.shotOffsets[9]) && !trajectory.isChosen(t.shotOffsets[12]),
                             patience);
  }

  // Bins of a breathing subject are made, shown and changed in the window; each is a frame.
  void binsOfBreathingAreDividedAndEdited() {
    const QTemporaryDir folder;
    SimulateOptions options;
    options.trajectory.pattern = Pattern::goldenRadial2d;
    options.trajectory.matrix = {32, 32, 1};
    options.trajectory.shots = 160;
    options.coils = 4;
    options.breathingMm = 15;
    options.breathShots = 37;
    const QString file = folder.filePath(QStringLiteral("breathing.h5"));
    writeScan(*simulate(options, {}), file.toStdString(), {});
    Workbench bench;
    ReconOptions quick;
    quick.nufft.accuracy = 1e-2;
    bench.window.views().parameters->setOptions(quick);
    bench.window.open(file);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.scan() && !bench.session.jobs().busy(), patience);
    RawPlot& plot = *bench.window.features().raw->view()->plot();
    plot.setShown(RawCurve::bins);
    bench.window.dock(QStringLiteral("data"))->raise();
    BinsView& bins = *plot.bins();
    QVERIFY(bins.bins().empty());
    auto* divide = bins.findChild<QPushButton*>(QStringLiteral("binsDivide"));
    QTRY_VERIFY_WITH_TIMEOUT(divide->isEnabled(), patience);  // the view has the scan
    divide->click();
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.scan()->frames, 4, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QCOMPARE(bins.bins().size(), 160U);
    QVERIFY2(bins.note().contains(QStringLiteral("40, 40, 40, 40")), qPrintable(bins.note()));
    QTRY_COMPARE_WITH_TIMEOUT(plot.note(), bins.note(), patience);
    // The first forty shots are left out, the next twenty become a bin for themselves.
    const auto move = [&](int from, int to, int bin) {
      bins.chooseShots(from, to);
      auto* target = bins.findChild<QComboBox*>(QStringLiteral("binsTarget"));
      target->setCurrentIndex(target->findData(bin));
      bins.findChild<QPushButton*>(QStringLiteral("binsMove"))->click();
    };
    move(0, 39, -1);
    move(40, 59, 4);
    std::vector<int> wanted = bins.bins();
    QCOMPARE(std::count(wanted.begin(), wanted.end(), -1), 40);
    QVERIFY2(bins.note().contains(QStringLiteral("40 shots left out")), qPrintable(bins.note()));
    bins.findChild<QPushButton*>(QStringLiteral("binsRead"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.scan()->frames, 5, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QCOMPARE(bins.bins(), wanted);
    QCOMPARE(bench.session.scan()->trajectory(4).shots(), 20);
    // Its script names the file of bins.
    const QString fileOfBins = QString::fromStdString(bench.session.overrides().at("breathing"));
    QVERIFY2(QFileInfo::exists(fileOfBins), qPrintable(fileOfBins));
    QVERIFY(!bins.findChild<QPushButton*>(QStringLiteral("binsRead"))->isEnabled());
  }

  void theTrajectoryIsColouredByMagnitude() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    TrajectoryView& view = *bench.window.views().trajectory;
    QSignalSpy counted(&view, &TrajectoryView::loadCounted);
    view.setColourBy(TrajectoryColour::magnitude);
    QTRY_VERIFY_WITH_TIMEOUT(counted.count() > 0, patience);
    const Scan& scan = *bench.session.scan();
    double power = 0;
    for (int c = 0; c < scan.coils; ++c) power += std::norm(cdouble(scan.data(0, 0, c)[40]));
    QVERIFY2(view.describe(40).contains(QStringLiteral("|y| %1").arg(valueText(std::sqrt(power)))),
             qPrintable(view.describe(40)));
    view.setTrajectory(view.trajectory(), {32, 32, 1});  // alone it has no samples
    QCOMPARE(view.colourBy(), TrajectoryColour::shot);
  }
};

SPOKELAB_WINDOW_TEST(TestRawWindow)

}  // namespace test_raw_window

#include "test_raw_window.moc"
