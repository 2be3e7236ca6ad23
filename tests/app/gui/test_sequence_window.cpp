// A Pulseq sequence in the window: alone it shows itself and its trajectory; the cursors of both
// are one, and beside a scan that it samples the data follow, too.
#include <fstream>

#include <qcustomplot.h>

#include <QDockWidget>
#include <QSignalSpy>

#include "app/gui/features/scan/raw_feature.h"
#include "app/gui/features/scan/sequence_feature.h"
#include "tests/app/gui/workbench.h"
#include "tests/engine/scan/sequence_file.h"
#include "widgets/raw/raw_view.h"
#include "widgets/raw/sequence_view.h"
#include "widgets/trajectory/trajectory_view.h"

namespace test_sequence_window {

using namespace spokelab;
using namespace spokelab::test;

class TestSequenceWindow : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  const SequenceSpec spec_;

  QString sequenceFile() const {
    const QString file = folder_.filePath(QStringLiteral("radial.seq"));
    std::ofstream(file.toStdString()) << sequenceText(spec_);
    return file;
  }

 private Q_SLOTS:
  void aloneItShowsItselfAndItsTrajectory() {
    Workbench bench;
    QSignalSpy failed(&bench.session, &Session::failed);
    SequenceView& view = *bench.window.features().sequence->view();
    TrajectoryView& trajectory = *bench.window.views().trajectory;
    QSignalSpy drawn(&view, &SequenceView::drawn);
    // Seen before: red diagonals, the cursors of no sequence.
    const auto* plot = view.findChild<QCustomPlot*>(QStringLiteral("sequencePlot"));
    QVERIFY(plot && plot->itemCount() > 0);
    for (int i = 0; i < plot->itemCount(); ++i) QVERIFY(!plot->item(i)->visible());
    drop(bench.window, sequenceFile());
    QTRY_VERIFY_WITH_TIMEOUT(view.sequence() && !view.curves().readouts.empty(), patience);
    for (int i = 0; i < plot->itemCount(); ++i) QVERIFY(plot->item(i)->visible());
    QCOMPARE(failed.count(), 0);
    QVERIFY(!view.visibleRegion().isEmpty());  // in front
    QVERIFY(trajectory.trajectory());
    QCOMPARE(trajectory.trajectory()->shots(), std::int64_t(spec_.shots));
    // From the sequence to the trajectory.
    const PulseqKspace& kspace = view.sequence()->kspace;
    const PulseqMoment middle{0, 20};
    QTest::mouseClick(view.findChild<QWidget*>(QStringLiteral("sequencePlot")), Qt::LeftButton, {},
                      view.pointOf(timeOf(kspace, middle)));
    QCOMPARE(view.moment().readout, std::int64_t(0));
    QVERIFY(std::abs(view.moment().sample - 20) <= 1);
    QCOMPARE(trajectory.lookedAt(), view.moment().sample);
    // And back.
    const std::int64_t sample = trajectory.trajectory()->shotOffsets[4] + 1;
    QTest::mouseClick(&trajectory, Qt::LeftButton, {},
                      trajectory.project(kspacePoint(*trajectory.trajectory(), sample)).toPoint());
    QCOMPARE(view.moment().readout * spec_.samples + view.moment().sample, trajectory.lookedAt());
    QVERIFY(view.cursor() >= view.from() && view.cursor() <= view.to());
    QVERIFY(bench.window.views().parameters->options().shots.empty());  // there is no scan to select in
    keepPicture(*bench.window.dock(QStringLiteral("sequence")), "sequence");
  }

  void besideItsScanTheDataFollow() {
    Workbench bench;
    SimulateOptions options;
    options.trajectory.matrix = {32, 32, 1};
    options.trajectory.shots = spec_.shots;
    options.trajectory.samplesPerShot = spec_.samples;
    options.coils = 2;
    const QString file = folder_.filePath(QStringLiteral("samples.h5"));
    writeScan(*simulate(options, {}), file.toStdString(), {});
    bench.window.open(file);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.scan() && !bench.session.jobs().busy(), patience);
    SequenceView& view = *bench.window.features().sequence->view();
    QVERIFY(!view.sequence());
    bench.window.features().scan->giveTrajectory(sequenceFile());
    QTRY_VERIFY_WITH_TIMEOUT(view.sequence() && !bench.session.jobs().busy(), patience);
    RawView& data = *bench.window.features().raw->view();
    QSignalSpy chosen(&view, &SequenceView::momentChosen);
    QTest::keyClick(view.findChild<QWidget*>(QStringLiteral("sequencePlot")), Qt::Key_PageDown);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(view.moment().readout, std::int64_t(1));
    QCOMPARE(data.place().shot, std::int64_t(1));
    QCOMPARE(bench.window.views().trajectory->lookedAt(), std::int64_t(spec_.samples));
    Q_EMIT data.placed(0, 3, 7);
    QCOMPARE(view.moment(), (PulseqMoment{3, 7}));
    bench.window.open(smallScan(folder_));  // another scan: its trajectory is not this sequence
    QTRY_VERIFY_WITH_TIMEOUT(!view.sequence(), patience);
  }
};

SPOKELAB_WINDOW_TEST(TestSequenceWindow)

}  // namespace test_sequence_window

#include "test_sequence_window.moc"
