// The samples in the window: what is looked at in the data is looked at in the trajectory and the
// other way round, and both show the same selected shots.
#include <QDockWidget>
#include <QSignalSpy>

#include "app/gui/features/scan/raw_feature.h"
#include "engine/core/number_list.h"
#include "engine/recon/prepare/sample_selection.h"
#include "tests/app/gui/workbench.h"
#include "widgets/core/number_text.h"
#include "widgets/raw/raw_picture_view.h"
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
