// The window from file to picture: demo, drop, errors that leave the last result, a click on a
// chart, the report.
#include <QDropEvent>
#include <QListWidget>
#include <QMimeData>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBrowser>

#include "app/gui/features/banner.h"
#include "app/gui/session/command_text.h"
#include "app/gui/session/sweep_plan.h"
#include "app/gui/window/help_viewer.h"
#include "app/gui/window/main_window.h"
#include "tests/app/gui/fake_backend.h"
#include "tests/app/gui/workbench.h"
#include "tests/thread_time.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/volume/vtk_log.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/scan/decision_model.h"
#include "widgets/recon/scan/scan_panel.h"

namespace test_window {

using namespace spokelab;

class TestWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theDemoIsOpenedTunedAndReconstructed() {
    Workbench bench;
    bench.window.open(QStringLiteral("demo"));
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().image->image() && !bench.window.views().image->showsPreview(), patience);
    QCOMPARE(bench.results().rowCount(), 1);
    QVERIFY(bench.window.windowTitle().contains(QStringLiteral("demo")));
    QVERIFY(bench.results().newest()->result->tuning);
    QVERIFY(!bench.window.views().charts->data().candidates.empty());
    QVERIFY(bench.window.views().charts->data().best >= 0);
    QVERIFY(!bench.window.views().banner->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QTest::qWait(300);
    QVERIFY2(VtkLog::instance().count() == 0, qPrintable(VtkLog::instance().last()));
    const QImage picture = bench.window.grab().toImage();
    QCOMPARE(picture.size(), bench.window.size() * bench.window.devicePixelRatio());
  }

  void aDroppedFileIsOpened() {
    const QTemporaryDir folder;
    Workbench bench;
    drop(bench.window, smallScan(folder));
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().image->image() && !bench.window.views().image->showsPreview(), patience);
    QCOMPARE(bench.window.views().image->image()->size, (Index3{32, 32, 1}));
    QVERIFY(bench.window.views().scan->model()->rowCount() > 0);
  }

  void aBadFileIsToldAndTheLastResultStays() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.open(smallScan(folder));
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().image->image() && !bench.window.views().image->showsPreview(), patience);
    const auto image = bench.window.views().image->image();
    const auto scan = bench.session.scan();

    QFile garbage(folder.filePath(QStringLiteral("garbage.h5")));
    QVERIFY(garbage.open(QIODevice::WriteOnly));
    garbage.write(QByteArray(1000, 'x'));
    garbage.close();
    for (const QString& bad :
         {garbage.fileName(), folder.path(), folder.filePath(QStringLiteral("missing.h5"))}) {
      bench.window.views().banner->hide();
      drop(bench.window, bad);
      QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().banner->isVisible(), patience);
      QVERIFY(bench.window.views().banner->text().size() > 20);
      QCOMPARE(bench.window.views().image->image(), image);
      QCOMPARE(bench.session.scan(), scan);
      QVERIFY(bench.window.views().log->toPlainText().contains(bench.window.views().banner->text().left(20)));
    }
    bench.window.features().reconstruct->run();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    QVERIFY(!bench.window.views().banner->isVisible());
  }

  void anOverriddenDecisionReadsTheScanAnew() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.open(smallScan(folder));
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().image->image() && !bench.window.views().image->showsPreview(), patience);
    bench.window.features().scan->overrideDecision(QStringLiteral("matrix"), QStringLiteral("48x48"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.scan()->geometry.matrix == (Index3{48, 48, 1}), patience);
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().image->image() && bench.window.views().image->image()->size[0] == 48, patience);
  }

  void aDoubleClickOnAChartReconstructsWithThatPlanAndComparesIt() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.open(smallScan(folder));
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().image->image() && !bench.window.views().image->showsPreview(), patience);
    bench.window.features().explorer->sweep();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.jobs().busy(JobKind::sweep), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    PlanMap* map = bench.window.views().charts->planMap();
    const auto& candidates = bench.window.views().charts->data().candidates;
    QTRY_COMPARE_WITH_TIMEOUT(map->data().candidates.size(), candidates.size(), patience);
    map->replot(QCustomPlot::rpImmediateRefresh);
    int wanted = -1;
    for (int i = 0; i < int(candidates.size()); ++i) {
      const bool drawn = !map->positionOf(i).isNull() && map->candidateAt(map->positionOf(i)) == i;
      if (candidates[std::size_t(i)].timed() && drawn && i != bench.window.views().charts->data().selected)
        wanted = i;
    }
    QVERIFY(wanted >= 0);
    const Candidate plan = candidates[std::size_t(wanted)];
    const int before = bench.results().shown();
    QTest::mouseDClick(map, Qt::LeftButton, {}, map->positionOf(wanted));
    QCOMPARE(bench.window.views().charts->data().selected, wanted);
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().shown() != before, patience);
    const HistoryEntry* shown = bench.results().find(bench.results().shown());
    QCOMPARE(shown->result->plan.options.alpha, plan.options.alpha);
    QCOMPARE(shown->result->plan.options.width, plan.options.width);
    QCOMPARE(bench.results().reference(), before);
    QVERIFY(bench.window.views().image->reference() != nullptr);
    QVERIFY(bench.window.views().comparing());  // the image beside the one before, and the difference
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().comparison->difference(), patience);
    QVERIFY(bench.window.views().charts->data().candidates.size() == candidates.size());  // the charts stay
  }

  void theReportHoldsImageChartsNumbersAndTheCommand() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.open(smallScan(folder));
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().image->image() && !bench.window.views().image->showsPreview(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    const QString target = folder.filePath(QStringLiteral("report"));
    QSignalSpy saved(&bench.session, &Session::saved);
    bench.window.features().report->write(*bench.results().newest(), target.toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    const QDir report(target);
    for (const char* name :
         {"report.json", "report.html", "report.pdf", "sweep.csv", "image.nii.gz", "image.png", "command.txt",
          "time-over-alpha.svg", "error.svg", "plan-map.svg", "error.pdf"}) {
      QVERIFY2(QFileInfo(report.filePath(QString::fromUtf8(name))).size() > 0, name);
    }
    QFile command(report.filePath(QStringLiteral("command.txt")));
    QVERIFY(command.open(QIODevice::ReadOnly));
    QVERIFY(command.readAll().startsWith("spokelab reconstruct /"));
  }

  void theCommandLineNamesWhatDiffersFromTheDefaults() {
    Scan scan;
    scan.path = "/data/my scan.h5";
    ReconOptions options;
    options.nufft.alpha = 1.25;
    options.exact = true;
    ReadOptions reading;
    reading.overrides = {{"matrix", "64x64"}};
    reading.separate.trajectory = "/data/spokes.npy";
    const QString line = QString::fromStdString(commandLineFor(scan, reading, options));
    QVERIFY2(line.contains(QStringLiteral("--trajectory /data/spokes.npy")), qPrintable(line));
    QVERIFY2(line.contains(QStringLiteral("'/data/my scan.h5'")), qPrintable(line));
    QVERIFY(line.contains(QStringLiteral("--alpha 1.25")));
    QVERIFY(line.contains(QStringLiteral("--exact")));
    QVERIFY(line.contains(QStringLiteral("--set matrix=64x64")));
    QVERIFY(!line.contains(QStringLiteral("--width")));
  }

  void aBrokenBackendLeavesTheWindowAliveAndTheResultShown() {
    FakeBackend fake;
    Session session({&fake});
    MainWindow window(session, {{"cpu", "fake", true}}, false);
    window.show();
    ReconOptions options;
    options.nufft.alpha = 2;  // no tuning: straight to the backend's plan
    options.nufft.width = 4;
    window.views().parameters->setOptions(options);
    window.open(QStringLiteral("demo"));
    QTRY_VERIFY_WITH_TIMEOUT(window.views().image->image() != nullptr, patience);
    const auto image = window.views().image->image();
    fake.broken = true;
    window.features().reconstruct->run();
    QTRY_VERIFY_WITH_TIMEOUT(window.views().banner->isVisible(), patience);
    QVERIFY(window.views().banner->text().contains(QStringLiteral("The backend is broken")));
    QCOMPARE(window.views().image->image(), image);
  }

  void cancelIsAcknowledgedWithin100MsAndALateAnswerIsDropped() {
    FakeBackend fake;
    Session session({&fake});
    MainWindow window(session, {{"cpu", "fake", true}}, false);
    window.show();
    ReconOptions options;
    options.nufft.alpha = 2;
    options.nufft.width = 4;
    window.views().parameters->setOptions(options);
    window.open(QStringLiteral("demo"));
    QTRY_VERIFY_WITH_TIMEOUT(window.views().image->image() != nullptr, patience);
    fake.deaf = true;
    fake.milliseconds = 1000;
    window.features().reconstruct->run();
    QTRY_COMPARE_WITH_TIMEOUT(fake.started.load(), 2, patience);
    const ThreadTime clock;
    session.jobs().cancelAll();
    const QModelIndex top = window.views().jobs->model()->index(0);
    QCOMPARE(top.data(Qt::DisplayRole).toString().left(11), QStringLiteral("Reconstruct"));
    QVERIFY(!session.jobs().busy());
    const double took = clock.ms();
    QVERIFY2(took <= 100, qPrintable(QString::number(took)));
    QTRY_COMPARE_WITH_TIMEOUT(fake.ended.load(), 2, patience);
    QTest::qWait(300);
    QCOMPARE(window.views().history->model()->rowCount(), 1);
  }

  void theGuideOpensOnItsFirstPage() {
    HelpViewer viewer;
    viewer.show();
    QVERIFY(!viewer.pages().isEmpty());
    QCOMPARE(viewer.pages().front(), QStringLiteral("index.md"));
    QTRY_VERIFY_WITH_TIMEOUT(viewer.browser()->toPlainText().size() > 100, patience);
  }

  // A page is shown when its pictures have been read: what was chosen meanwhile counts.
  void theGuideShowsThePageThatWasChosenLast() {
    HelpViewer viewer;
    viewer.show();
    QTRY_COMPARE_WITH_TIMEOUT(viewer.browser()->source().fileName(), QStringLiteral("index.md"), patience);
    auto* contents = viewer.findChild<QListWidget*>();
    const int tuning = int(viewer.pages().indexOf(QStringLiteral("tuning.md")));
    contents->setCurrentRow(tuning);
    contents->setCurrentRow(0);
    QTest::qWait(1000);
    QCOMPARE(viewer.browser()->source().fileName(), QStringLiteral("index.md"));
    contents->setCurrentRow(tuning);
    QTRY_COMPARE_WITH_TIMEOUT(viewer.browser()->source().fileName(), QStringLiteral("tuning.md"), patience);
    QCOMPARE(contents->currentRow(), tuning);
    // As wide as the page at most.
    const QUrl picture(QStringLiteral("qrc:/guide/images/scheduler.png"));
    const QImage shown =
        viewer.browser()->document()->resource(QTextDocument::ImageResource, picture).value<QImage>();
    QVERIFY(shown.width() > 300 && shown.width() <= viewer.browser()->viewport()->width());
  }

  void everyPageOfTheGuideIsThereWithItsLinksAndPictures() {
    HelpViewer viewer;
    viewer.show();
    for (const QString& page : viewer.pages()) {
      viewer.browser()->setSource(QUrl(QStringLiteral("qrc:/guide/") + page),
                                  QTextDocument::MarkdownResource);
      QTRY_COMPARE_WITH_TIMEOUT(viewer.browser()->source().fileName(), page, patience);
      const QTextDocument* document = viewer.browser()->document();
      for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
        for (auto it = block.begin(); !it.atEnd(); ++it) {
          const QTextCharFormat format = it.fragment().charFormat();
          QString target = format.isImageFormat() ? format.toImageFormat().name() : format.anchorHref();
          target = target.section(QLatin1Char('#'), 0, 0);
          if (target.isEmpty() || target.contains(QStringLiteral("://"))) continue;
          QVERIFY2(QFile::exists(QStringLiteral(":/guide/") + target),
                   qPrintable(page + QStringLiteral(": ") + target));
        }
      }
    }
  }
};

SPOKELAB_WINDOW_TEST(TestWindow)

}  // namespace test_window

#include "test_window.moc"
