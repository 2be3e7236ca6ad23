// What a result is good for: its parameters, its picture, the images of its iterations; and the notice
// at the end of a long job.
#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QProcess>
#include <QSlider>
#include <QStandardPaths>
#include <QUrl>

#include "app/gui/features/image/drag_out_feature.h"
#include "app/gui/features/job_notice.h"
#include "app/gui/session/c_text.h"
#include "engine/core/error.h"
#include "engine/scan/formats/images/read_image.h"
#include "tests/app/gui/workbench.h"
#include "widgets/core/drag/drag_grip.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/recon/jobs/iteration_view.h"

namespace test_results_in_hand {

using namespace spokelab;

namespace {

void trigger(Workbench& bench, const char* name) {
  bench.window.findChild<QAction*>(QString::fromUtf8(name))->trigger();
}

}  // namespace

class TestResultsInHand : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void thePanelTakesTheParametersOfAResult() {
    const QTemporaryDir folder;
    Workbench bench;
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    options.iterative.method = ReconMethod::sense;
    options.iterative.solver.iterations = 3;
    openSmall(bench, folder, options);
    const HistoryEntry made = *bench.session.shown();
    bench.window.views().parameters->setOptions({});
    trigger(bench, "action-use-parameters");
    const ReconOptions taken = bench.window.views().parameters->options();
    QCOMPARE(taken.iterative.method, ReconMethod::sense);
    QCOMPARE(taken.iterative.solver.iterations, 3);
    QCOMPARE(taken.nufft.accuracy, 1e-2);
    QCOMPARE(taken.nufft.alpha, made.result->plan.options.alpha);
    QCOMPARE(taken.nufft.width, made.result->plan.options.width);
    bench.window.features().undo->undoAction()->trigger();
    QCOMPARE(bench.window.views().parameters->options().iterative.method, ReconMethod::gridding);
  }

  // What is copied compiles against the header, and names what was chosen.
  void aResultIsAProgramInC() {
    const QTemporaryDir folder;
    Workbench bench;
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    openSmall(bench, folder, options);
    QGuiApplication::clipboard()->clear();
    trigger(bench, "action-copy-c");
    Scan odd;
    odd.path =
        "/a \"b\"/c?"
        "?=\\.h5";
    ReadOptions reading;
    reading.overrides = {{"k-unit", "1/m"}};
    int number = 0;
    for (const QString& text :
         {QGuiApplication::clipboard()->text(), QString::fromStdString(cFor(odd, reading, {}, options)),
          QString::fromStdString(cFor(odd, {}, {{"coils", "3"}}, {}))}) {
      QVERIFY2(text.contains(QStringLiteral("spokelab_reconstruct(")), qPrintable(text));
      const QString compiler = QStandardPaths::findExecutable(QStringLiteral("cc"));
      if (compiler.isEmpty()) QSKIP("cc is not installed");
      const QString file = folder.filePath(QStringLiteral("copied%1.c").arg(number++));
      QFile out(file);
      QVERIFY(out.open(QIODevice::WriteOnly) && out.write(text.toUtf8()) > 0);
      out.close();
      QProcess process;
      process.setProcessChannelMode(QProcess::MergedChannels);
      process.start(compiler, {QStringLiteral("-std=c11"), QStringLiteral("-Wall"), QStringLiteral("-Werror"),
                               QStringLiteral("-fsyntax-only"),
                               QStringLiteral("-I" SPOKELAB_SOURCE_DIR "/app/api"), file});
      QVERIFY(process.waitForFinished(patience));
      QVERIFY2(process.exitCode() == 0, process.readAll().constData());
    }
    const QString text = QString::fromStdString(cFor(odd, reading, {}, options));
    QVERIFY2(text.contains(QStringLiteral("\"accuracy\", \"0.01\"")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("{\"k-unit=1/m\"}")), qPrintable(text));
    reading.separate.trajectory = "k.npy";
    QVERIFY_EXCEPTION_THROWN(cFor(odd, reading, {}, options), Error);
  }

  void thePictureIsCopied() {
    const QTemporaryDir folder;
    Workbench bench;
    QVERIFY(!bench.window.findChild<QAction*>(QStringLiteral("action-copy-picture"))->isEnabled());
    openSmall(bench, folder);
    QGuiApplication::clipboard()->clear();
    ImagePanel& panel = *bench.window.views().image;
    trigger(bench, "action-copy-picture");
    const QImage all = QGuiApplication::clipboard()->image();
    const QSize whole = panel.size() * panel.devicePixelRatioF();
    QCOMPARE(all.width(), whole.width());
    QVERIFY(all.height() < whole.height() && all.height() > whole.height() / 2);  // without the tool bar
    for (auto* slice : panel.findChildren<SliceView*>()) {
      if (!slice->isVisible()) continue;
      bench.window.activateWindow();
      slice->setFocus();
      QTRY_VERIFY_WITH_TIMEOUT(slice->hasFocus(), patience);
      QTest::keyClick(slice, Qt::Key_C, Qt::ControlModifier);
      const QImage one = QGuiApplication::clipboard()->image();
      QCOMPARE(one.size(), slice->size() * slice->devicePixelRatioF());
      QCOMPARE(one, slice->grab().toImage().convertToFormat(one.format()));
      return;
    }
    QFAIL("there is no slice");
  }

  void aClickOnAResidualShowsItsIteration() {
    IterationView view;
    view.resize(700, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.start(QStringLiteral("Reconstruct"));
    for (int i = 1; i <= 4; ++i) {
      IterationPoint point;
      point.iteration = i;
      point.residual = 1.0 / i;
      view.addPoints({point});
      auto image = std::make_shared<Image>();
      image->size = {4, 4, 1};
      image->data.assign(16, cfloat(float(i), 0));
      view.setImage(image);
    }
    view.finish(QStringLiteral("done"));
    view.plot()->replot(QCustomPlot::rpImmediateRefresh);
    for (const int wanted : {2, 4, 1}) {
      QTest::mouseClick(view.plot(), Qt::LeftButton, {}, view.positionOf(std::size_t(wanted - 1)));
      QCOMPARE(view.image()->image()->data[0], cfloat(float(wanted), 0));
      QVERIFY(view.findChild<QLabel*>(QStringLiteral("iterationCaption"))
                  ->text()
                  .contains(QStringLiteral("iteration %1").arg(wanted)));
    }
    view.start(QStringLiteral("Another"));
    QVERIFY(!view.image()->image());
  }

  // While iterations run: the slider holds an earlier one until it is at its right end again.
  void theSliderGoesThroughTheIterations() {
    IterationView view;
    view.resize(700, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    auto* slider = view.findChild<QSlider*>(QStringLiteral("iterationSlider"));
    const auto iterate = [&view](int iteration) {
      IterationPoint point;
      point.iteration = iteration;
      point.residual = 1.0 / iteration;
      view.addPoints({point});
      auto image = std::make_shared<Image>();
      image->size = {4, 4, 1};
      image->data.assign(16, cfloat(float(iteration), 0));
      view.setImage(image);
    };
    view.start(QStringLiteral("Reconstruct"));
    iterate(1);
    QVERIFY(!slider->isVisible());
    iterate(2);
    QVERIFY(slider->isVisible());
    QCOMPARE(view.shownIteration(), 2);
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Left);
    QCOMPARE(view.shownIteration(), 1);
    iterate(3);
    QCOMPARE(view.shownIteration(), 1);
    QCOMPARE(view.image()->image()->data[0], cfloat(1, 0));
    QTest::keyClick(slider, Qt::Key_End);
    QCOMPARE(view.shownIteration(), 3);
    iterate(4);
    QCOMPARE(view.shownIteration(), 4);
    view.finish(QStringLiteral("done"));
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(view.image()->image()->data[0], cfloat(1, 0));
  }

  // Other programs get picture, numbers and file; a click on the handle copies.
  void picturesTablesAndImagesAreDraggedOut() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    DragOutFeature& dragOut = *bench.window.features().dragOut;
    const auto grip = [&bench](const char* name) {
      auto* found = bench.window.findChild<DragGrip*>(QString::fromUtf8(name));
      if (!found) qFatal("there is no %s", name);
      return found;
    };
    const DragContent image = grip("dragImage")->content();
    const auto picture = dragOut.mimeOf(image);
    QVERIFY(picture->hasImage());
    QCOMPARE(picture->urls().size(), 1);
    QCOMPARE(QImage(picture->urls().front().toLocalFile()).size(), image.picture.size());

    const auto chart = dragOut.mimeOf(grip("drag-time-over-alpha")->content());
    QVERIFY(chart->hasImage() && chart->hasText() && chart->hasFormat(QStringLiteral("text/csv")));
    QVERIFY(chart->urls().front().fileName().endsWith(QStringLiteral("time-over-alpha.png")));

    const auto table = dragOut.mimeOf(grip("dragRuns")->content());
    QVERIFY(!table->hasImage());
    QFile csv(table->urls().front().toLocalFile());
    QVERIFY(csv.open(QIODevice::ReadOnly));
    QCOMPARE(csv.readAll(), table->text().toUtf8());

    const HistoryEntry& shown = *bench.session.shown();
    const auto file = dragOut.imageOf(shown.id);
    const QByteArray listed = file->data(QStringLiteral("text/uri-list"));  // as X11 asks for it
    const QString nifti = QUrl(QString::fromUtf8(listed.trimmed())).toLocalFile();
    QVERIFY2(QFile::exists(nifti), listed.constData());
    QCOMPARE(readImage(nifti.toStdString(), {}).size, shown.result->image->size);
    QVERIFY(!dragOut.imageOf(shown.id + 1));

    QGuiApplication::clipboard()->clear();
    grip("drag-time-over-alpha")->click();
    QVERIFY(!QGuiApplication::clipboard()->image().isNull());
    QVERIFY(QGuiApplication::clipboard()->text().contains(QLatin1Char(',')));

    QSignalSpy dragged(grip("dragImage"), &DragGrip::dragged);
    grip("dragImage")->disconnect(&dragOut);  // a drag would wait for the drop
    dragged.clear();
    QSignalSpy clicked(grip("dragImage"), &DragGrip::clicked);
    QTest::mousePress(grip("dragImage"), Qt::LeftButton, {}, QPoint(4, 4));
    QTest::mouseMove(grip("dragImage"), QPoint(4, 4 + 2 * QApplication::startDragDistance()));
    QTest::mouseRelease(grip("dragImage"), Qt::LeftButton, {},
                        QPoint(4, 4 + 2 * QApplication::startDragDistance()));
    QCOMPARE(dragged.size(), 1);
    QCOMPARE(clicked.size(), 0);
  }

  void onlyTheEndOfALongJobIsTold() {
    JobState job;
    job.title = QStringLiteral("Sweep demo");
    job.seconds = 45;
    QCOMPARE(noticeOf(job), QString());
    job.status = JobStatus::done;
    QCOMPARE(noticeOf(job), QStringLiteral("Sweep demo: done in 45.0 s"));
    job.status = JobStatus::cancelled;
    QCOMPARE(noticeOf(job), QString());
    job.status = JobStatus::failed;
    QVERIFY(noticeOf(job).contains(QStringLiteral("failed")));
    job.seconds = 3;
    QCOMPARE(noticeOf(job), QString());
    QWidget window;  // not shown, so not the active one
    auto* notice = new JobNotice(window);
    notice->take(job);
    QCOMPARE(notice->told(), 0);
    job.seconds = 45;
    notice->take(job);
    QCOMPARE(notice->told(), 1);
  }
};

SPOKELAB_WINDOW_TEST(TestResultsInHand)

}  // namespace test_results_in_hand

#include "test_results_in_hand.moc"
