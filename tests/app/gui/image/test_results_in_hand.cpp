// What a result is good for: its parameters, its picture, the images of its iterations; and the notice
// at the end of a long job.
#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QProcess>
#include <QStandardPaths>

#include "app/gui/features/job_notice.h"
#include "app/gui/session/c_text.h"
#include "engine/core/error.h"
#include "tests/app/gui/workbench.h"
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
    QCOMPARE(all.size(), panel.size() * panel.devicePixelRatioF());
    for (auto* slice : panel.findChildren<SliceView*>()) {
      if (!slice->isVisible()) continue;
      bench.window.activateWindow();
      slice->setFocus();
      QTRY_VERIFY(slice->hasFocus());
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
