// The scheduler's time line in the window: recorded on the open scan with the parameters as they
// are.
#include <QComboBox>
#include <QDockWidget>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/app/gui/workbench.h"
#include "widgets/profile/timeline/timeline_chart.h"
#include "widgets/profile/timeline/timeline_view.h"
#include "widgets/profile/timeline/trace_chart.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace test_timeline {

using namespace spokelab;

class TestTimeline : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void isRecordedForTheParameters() {
    const QTemporaryDir folder;
    Workbench bench;
    auto* view = bench.window.findChild<TimelineView*>();
    QVERIFY(view && bench.window.dock(QStringLiteral("timeline")));
    QSignalSpy failed(&bench.session, &Session::failed);
    QVERIFY(!view->job()->trace());
    view->recordButton()->click();  // no scan yet
    QCOMPARE(failed.count(), 1);
    failed.clear();
    bench.window.open(smallScan(folder));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    // The job that has just ended, with its coils.
    QVERIFY(view->job()->trace());
    QVERIFY(view->job()->numbers().contains(QStringLiteral("coil")));
    QVERIFY2(view->summary().startsWith(QStringLiteral("Reconstruct")), qPrintable(view->summary()));
    for (const char* scheduler : {"graph", "tiles"}) {
      ReconOptions options = bench.window.views().parameters->options();
      setOption(options, "scheduler", scheduler);
      setOption(options, "effort", "estimate");
      setOption(options, "threads", "2");
      bench.window.views().parameters->setOptions(options);
      QSignalSpy ready(bench.window.features().timeline, &TimelineFeature::ready);
      view->recordButton()->click();
      QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, patience);
      const auto timeline = view->chart()->timeline();
      QVERIFY(timeline);
      QCOMPARE(QString::fromStdString(timeline->scheduler), QString::fromLatin1(scheduler));
      QCOMPARE(timeline->points, bench.session.scan()->trajectory(0).samples());
      std::int64_t spread = 0;
      for (const WorkInterval& i : timeline->intervals)
        if (i.kind != WorkKind::reduction) spread += i.points;
      QCOMPARE(spread, timeline->points);
      QCOMPARE(view->shownBox()->currentIndex(), 1);
      QVERIFY(!view->summary().isEmpty() && view->recordButton()->isEnabled());
    }
    QCOMPARE(failed.count(), 0);
  }

  void sparseMatricesHaveNone() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.open(smallScan(folder));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    ReconOptions options = bench.window.views().parameters->options();
    setOption(options, "spread", "sparse");
    QSignalSpy failed(&bench.session, &Session::failed);
    bench.window.features().timeline->record(options);
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
    QVERIFY(failed.first().first().value<Failure>().reason.contains(QStringLiteral("sparse")));
  }
};

SPOKELAB_WINDOW_TEST(TestTimeline)

}  // namespace test_timeline

#include "test_timeline.moc"
