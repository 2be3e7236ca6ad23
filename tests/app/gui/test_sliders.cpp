// Sliders for α, W and accuracy: the image follows while they are dragged, the latest place wins,
// one result where they rest; and the first, coarse image of a scan that has just been opened.
#include <QComboBox>
#include <QDirIterator>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>
#include <QUndoStack>

#include "app/gui/document/undo.h"
#include "engine/profile/results/results.h"
#include "engine/profile/session/saved_session.h"
#include "engine/recon/run/reconstruction.h"
#include "tests/app/gui/fake_backend.h"
#include "tests/app/gui/workbench.h"
#include "tests/event_probe.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/parameters/plan_sliders.h"
#include "widgets/trajectory/trajectory_view.h"

namespace test_sliders {

using namespace spokelab;

namespace {

struct FakeWindow {
  FakeBackend backend;
  Session session{{&backend}};
  MainWindow window{session, {}, false};
  FakeWindow() { window.show(); }
  const HistoryModel& results() const { return *window.views().history->model(); }

  void open(const QString& file) {
    ReconOptions options;
    options.nufft.alpha = 2;
    options.nufft.width = 4;
    window.views().parameters->setOptions(options);
    window.open(file);
    QTRY_VERIFY_WITH_TIMEOUT(results().rowCount() == 1 && !session.jobs().busy(), patience);
  }
};

QPoint handleAt(const QSlider& slider, double fraction) {
  constexpr int half = 8;
  return {half + int(fraction * (slider.width() - 2 * half)), slider.height() / 2};
}

// A drag with the left button, as slow as a hand: `steps` moves, `apartMs` apart.
void drag(QSlider& slider, double from, double to, int steps, int apartMs) {
  const QPoint start =
      handleAt(slider, (slider.value() - slider.minimum()) / double(slider.maximum() - slider.minimum()));
  Q_UNUSED(from);
  QTest::mousePress(&slider, Qt::LeftButton, {}, start);
  for (int i = 1; i <= steps; ++i) {
    const QPoint at = handleAt(slider, from + (to - from) * i / steps);
    QMouseEvent move(QEvent::MouseMove, at, slider.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(&slider, &move);
    QTest::qWait(apartMs);
  }
  QTest::mouseRelease(&slider, Qt::LeftButton, {}, handleAt(slider, to));
}

}  // namespace

class TestSliders : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aDragOverASlowEngineLeavesOneResultAndBlocksNothing() {
    const QTemporaryDir folder;
    FakeWindow fake;
    fake.open(smallScan(folder));
    ProbeApplication& probe = ProbeApplication::instance();
    fake.backend.milliseconds = 600;
    const int before = fake.results().rowCount(), started = fake.backend.started, ended = fake.backend.ended;
    QSignalSpy previews(fake.window.features().preview, &PreviewFeature::ready);
    probe.begin();
    drag(*fake.window.views().sliders->alpha(), 0.2, 0.9, 30, 30);
    probe.probing = false;
    QTRY_VERIFY_WITH_TIMEOUT(fake.results().rowCount() > before && !fake.session.jobs().busy(), patience);
    QTest::qWait(300);
    QCOMPARE(fake.results().rowCount(), before + 1);
    const double alpha = PlanSliders::alphaAt(fake.window.views().sliders->alpha()->value());
    QCOMPARE(fake.results().newest()->result->plan.options.alpha, alpha);
    QCOMPARE(fake.window.views().parameters->options().nufft.alpha, alpha);
    QVERIFY(!fake.window.views().image->showsPreview());
    // Earlier ones were cancelled: some that began did not end.
    QVERIFY(fake.backend.started - started > fake.backend.ended - ended);
    QVERIFY2(probe.longestProcessor <= longestAllowed, qPrintable(QString::number(probe.longestProcessor)));
    qInfo("longest event %.1f ms (%.1f by the wall), %d previews of 31 places", probe.longestProcessor,
          probe.longestWall, int(previews.count()));
  }

  void theImageFollowsOverAnEngineThatKeepsUp() {
    const QTemporaryDir folder;
    FakeWindow fake;
    fake.open(smallScan(folder));
    fake.backend.milliseconds = 120;
    QSignalSpy previews(fake.window.features().preview, &PreviewFeature::ready);
    drag(*fake.window.views().sliders->alpha(), 0.2, 0.9, 40, 40);
    const int shownSoFar = int(previews.count());
    QTRY_VERIFY_WITH_TIMEOUT(!fake.session.jobs().busy(), patience);
    QVERIFY2(shownSoFar >= 4, qPrintable(QString::number(shownSoFar)));
    QCOMPARE(fake.results().rowCount(), 2);
  }

  void noListOfJobsHearsOfPreviews() {
    const QTemporaryDir folder;
    FakeWindow fake;
    QSignalSpy told(&fake.session.jobs(), &JobQueue::jobChanged);
    fake.open(smallScan(folder));
    QSet<int> jobs;
    for (const auto& call : told) jobs << call.front().value<JobState>().id;
    QCOMPARE(jobs.size(), 2);  // open, reconstruct
    fake.backend.milliseconds = 20;
    told.clear();
    drag(*fake.window.views().sliders->width(), 0.2, 0.5, 10, 40);
    QTRY_VERIFY_WITH_TIMEOUT(!fake.session.jobs().busy(), patience);
    jobs.clear();
    for (const auto& call : told) jobs << call.front().value<JobState>().id;
    QCOMPARE(jobs.size(), 1);
  }

  void theImageFollowsWhileTheSliderIsHeld() {
    const QTemporaryDir folder;
    Workbench bench;
    ReconOptions options;
    options.nufft.threads = 1;
    openSmall(bench, folder, options);
    const auto result = bench.window.views().image->image();
    QSlider& slider = *bench.window.views().sliders->accuracy();
    const QPoint start =
        handleAt(slider, (slider.value() - slider.minimum()) / double(slider.maximum() - slider.minimum()));
    QTest::mousePress(&slider, Qt::LeftButton, {}, start);
    const QPoint at = handleAt(slider, 0);
    QMouseEvent move(QEvent::MouseMove, at, slider.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(&slider, &move);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().image->showsPreview(), patience);
    QVERIFY(bench.window.views().image->image() != result);
    QCOMPARE(bench.results().rowCount(), 1);
    QVERIFY(bench.window.findChild<QLabel*>(QStringLiteral("sliderNote"))
                ->text()
                .contains(QStringLiteral("predicted error")));
    keepPicture(bench.window, "sliders");
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, at);
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 2 && !bench.session.jobs().busy(), patience);
    QVERIFY(!bench.window.views().image->showsPreview());
    QCOMPARE(bench.results().newest()->result->options.nufft.accuracy,
             PlanSliders::accuracyAt(slider.value()));
  }

  void aPairThatIsTooCoarseTakesTheAccuracyAlong() {
    const QTemporaryDir folder;
    Workbench bench;
    ReconOptions options;
    options.nufft.threads = 1;
    options.nufft.alpha = 1.5;
    options.nufft.width = 5;
    bench.window.views().parameters->setOptions(options);
    bench.window.open(smallScan(folder));
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 1 && !bench.session.jobs().busy(), patience);
    QSlider& width = *bench.window.views().sliders->width();
    width.setFocus();
    QTest::keyClick(&width, Qt::Key_PageDown);
    QTest::keyClick(&width, Qt::Key_PageDown);
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 2 && !bench.session.jobs().busy(), patience);
    const Reconstruction& result = *bench.results().newest()->result;
    QCOMPARE(result.plan.options.width, PlanSliders::widthAt(width.value()));
    QVERIFY(result.plan.options.width < 4);
    QVERIFY(result.options.nufft.accuracy > 1e-3);
    QVERIFY(result.plan.error.bound <= result.options.nufft.accuracy);
    QCOMPARE(bench.window.views().sliders->options().nufft.accuracy, result.options.nufft.accuracy);
    // Back to the tuner.
    QTest::mouseClick(bench.window.views().sliders->automaticWidth(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 3 && !bench.session.jobs().busy(), patience);
    QCOMPARE(bench.window.views().parameters->options().nufft.width, 0.0);
  }

  void aDragIsOneStepOfUndo() {
    const QTemporaryDir folder;
    FakeWindow fake;
    fake.open(smallScan(folder));
    const auto before = optionValues(fake.window.views().parameters->options());
    fake.window.features().undo->forget();
    drag(*fake.window.views().sliders->width(), 0.3, 0.02, 12, 30);  // the accuracy goes along
    QVERIFY(optionValues(fake.window.views().parameters->options()) != before);
    QCOMPARE(fake.window.features().undo->stack()->count(), 1);
    fake.window.features().undo->stack()->undo();
    QVERIFY(optionValues(fake.window.views().parameters->options()) == before);
  }

  void theVolumesStyleIsUndoneAndKept() {
    FakeWindow fake;
    ImagePanel& image = *fake.window.views().image;
    fake.window.features().undo->forget();
    const VolumeStyle first = image.volumeStyle();
    auto* mode = fake.window.findChild<QComboBox*>(QStringLiteral("volumeMode"));
    mode->setFocus();
    QTest::keyClick(mode, Qt::Key_End);
    QCOMPARE(image.volumeStyle().mode, VolumeMode::surface);
    const SavedSession saved = fake.window.features().state->capture();
    fake.window.features().undo->stack()->undo();
    QVERIFY(image.volumeStyle() == first);
    QCOMPARE(mode->currentIndex(), 0);
    fake.window.features().state->apply(saved);
    QCOMPARE(image.volumeStyle().mode, VolumeMode::surface);
    QCOMPARE(mode->currentIndex(), 2);
  }

  void aFailureAtRestLeavesTheResultThatWasShown() {
    const QTemporaryDir folder;
    FakeWindow fake;
    fake.open(smallScan(folder));
    const auto image = fake.window.views().image->image();
    fake.backend.milliseconds = 30;
    drag(*fake.window.views().sliders->alpha(), 0.2, 0.5, 4, 120);
    fake.backend.broken = true;
    QTRY_VERIFY_WITH_TIMEOUT(!fake.session.jobs().busy(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!fake.window.views().image->showsPreview(), patience);
    QCOMPARE(fake.results().rowCount(), 1);
    QVERIFY(fake.window.views().image->image() == image);
  }

  // The guide's picture of the volume: made on demand, the scan takes a while.
  void theVolumeAsASurfaceCutOpen() {
    if (qEnvironmentVariable("SPOKELAB_PICTURES").isEmpty()) QSKIP("SPOKELAB_PICTURES names no folder");
    Workbench bench;
    bench.window.resize(1400, 900);
    bench.window.open(QStringLiteral("demo"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 1 && !bench.session.jobs().busy(), patience);
    bench.window.dock(QStringLiteral("volume"))->raise();
    VolumeStyle style;
    style.mode = VolumeMode::opacity;
    style.clip = {0, 1, 0.45, 1, 0, 1};
    bench.window.views().image->setVolumeStyle(style);
    QTest::qWait(1500);
    keepPicture(bench.window, "volume-opacity");
    style.mode = VolumeMode::surface;
    bench.window.views().image->setVolumeStyle(style);
    QTest::qWait(1500);
    keepPicture(bench.window, "volume");
    auto* trajectory = bench.window.findChild<TrajectoryView*>();
    trajectory->resetView();
    trajectory->setColourBy(TrajectoryColour::load);
    QTRY_VERIFY_WITH_TIMEOUT(!trajectory->loadText().isEmpty(), patience);
    keepPicture(*trajectory, "load");
  }

  void aCoarseImageComesFirst_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("demo") << QStringLiteral("demo");
    const QString data = qEnvironmentVariable("SPOKELAB_DATA");
    if (data.isEmpty()) return;
    QDirIterator files(data, {QStringLiteral("*.h5"), QStringLiteral("*.mrd")}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
      const QString file = files.next();
      QTest::newRow(qPrintable(QDir(data).relativeFilePath(file))) << file;
    }
  }

  void aCoarseImageComesFirst() {
    QFETCH(QString, file);
    Workbench bench;
    QElapsedTimer clock;
    qint64 opened = -1, seen = -1;
    bool whole = false;
    connect(&bench.session, &Session::scanOpened, this, [&] { opened = clock.elapsed(); });
    connect(bench.window.features().preview, &PreviewFeature::ready, this, [&] {
      if (seen < 0) seen = clock.elapsed();
      QVERIFY(bench.window.views().image->showsPreview());
    });
    connect(&bench.session, &Session::resultReady, this, [&] { whole = true; });
    QSignalSpy failed(&bench.session, &Session::failed);
    clock.start();
    bench.window.open(file);
    QTRY_VERIFY_WITH_TIMEOUT(seen >= 0 || whole || !failed.isEmpty(), patience);
    if (!failed.isEmpty()) QSKIP("this file is no scan that can be opened alone");
    if (whole && seen < 0 && isImported(*bench.results().newest()->result)) QSKIP("this file is an image");
    QVERIFY(seen >= 0 && !whole);
    qInfo("opened after %lld ms, first image %lld ms later", opened, seen - opened);
    QVERIFY2(seen - opened < (loadedMachine() ? 5000 : 1000), qPrintable(QString::number(seen - opened)));
    bench.session.jobs().cancelAll();
  }
};

SPOKELAB_TEST_RUN(&test::runWindowTest<TestSliders, ProbeApplication>)

}  // namespace test_sliders

#include "test_sliders.moc"
