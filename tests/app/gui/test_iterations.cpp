// Iterations in the window: watched, paused, given another λ, sent back, stopped, cancelled; the
// maps they use; the bench of field corrections.
#include <qcustomplot.h>
#include <QCheckBox>
#include <QClipboard>
#include <QLineEdit>
#include <QListWidget>
#include <QTableWidget>
#include <QToolButton>

#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/simulate/kernels/off_resonance.h"
#include "tests/app/gui/workbench.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/recon/field_bench_view.h"
#include "widgets/recon/jobs/iteration_view.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/map_panel.h"
#include "widgets/recon/parameters/option_editor.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace test_iterations {

using namespace spokelab;

namespace {

template <class Widget>
Widget* child(QWidget& parent, const char* name) {
  auto* found = parent.findChild<Widget*>(QString::fromLatin1(name));
  if (!found) qFatal("there is no %s", name);
  return found;
}

void set(Workbench& bench, const char* name, const std::string& value) {
  ReconOptions options = bench.window.views().parameters->options();
  setOption(options, name, value);
  bench.window.views().parameters->setOptions(options);
}

// The first result (by gridding) of a file.
void open(Workbench& bench, const QString& file) {
  bench.window.open(file);
  QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
}

// With total variation: rounding ends plain conjugate gradients long before 10,000 iterations.
void iterate(Workbench& bench, const char* iterations) {
  set(bench, "method", "sense");
  set(bench, "regularization", "tv");
  set(bench, "transform", "nufft");
  set(bench, "iterations", iterations);
  bench.window.features().reconstruct->run();
}

QString offResonantScan(const QTemporaryDir& folder, QString& field) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::spiral2d;
  options.trajectory.matrix = {32, 32, 1};
  options.trajectory.shots = 4;
  options.trajectory.dwellSeconds = 4e-5;
  options.coils = 2;
  options.offResonance = {FieldShape::head, 100};
  const QString file = folder.filePath(QStringLiteral("spiral.h5"));
  writeScan(*simulate(options, {}), file.toStdString(), {});
  field = folder.filePath(QStringLiteral("field.nii.gz"));
  WriteOptions how;
  how.part = ComplexPart::real;
  writeImage(fieldImage(options.offResonance, {32, 32, 1}), field.toStdString(), how, {});
  return file;
}

}  // namespace

class TestIterations : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aMethodThatCannotBeSteeredSaysWhy() {
    IterationView view;
    view.start(QStringLiteral("NLINV"));
    const auto* lambda = child<QLineEdit>(view, "iterationLambda");
    QVERIFY(lambda->isEnabled());
    IterationPoint point;
    point.iteration = 1;
    point.residual = 0.5;
    point.steerable = false;
    view.addPoints({point});
    QVERIFY(!lambda->isEnabled() && !child<QToolButton>(view, "iterationApply")->isEnabled());
    QVERIFY(lambda->toolTip().contains(QStringLiteral("no other λ")));
    const auto* back = child<QToolButton>(view, "iterationBack");
    QVERIFY(!back->isEnabled());
    QVERIFY(back->toolTip().contains(QStringLiteral("cannot go back")));
    QVERIFY(child<QToolButton>(view, "iterationPause")->isEnabled());
  }

  void anImageThatIsDroppedCannotBeGoneBackTo() {
    IterationView view;
    view.start(QStringLiteral("SENSE"));
    IterationPoint point;
    point.iteration = 1;
    point.residual = 0.5;
    point.kept = true;
    view.addPoints({point});
    auto image = std::make_shared<Image>();
    image->size = {4, 4, 1};
    image->data.assign(16, cfloat(1));
    view.setImage(image);
    const auto* back = child<QToolButton>(view, "iterationBack");
    QVERIFY(back->isEnabled());
    view.dropImages({2});
    QVERIFY(back->isEnabled());
    view.dropImages({1});
    QVERIFY(!back->isEnabled());
  }

  void iterationsAreWatchedPausedSteeredAndStopped() {
    const QTemporaryDir folder;
    Workbench bench;
    open(bench, smallScan(folder));
    IterationView& view = *bench.window.features().iterations->iterations();
    QElapsedTimer clock;
    clock.start();
    iterate(bench, "10000");
    QTRY_VERIFY_WITH_TIMEOUT(view.points().size() > 3 && view.image()->image(), patience);
    QVERIFY(view.running());
    QVERIFY(view.isVisible());

    QTest::mouseClick(child<QToolButton>(view, "iterationPause"), Qt::LeftButton);
    QVERIFY(view.paused());
    QTest::qWait(400);  // what was on its way arrives
    const std::size_t held = view.points().size();
    QVERIFY(bench.window.views().image->image() != view.image()->image());
    child<QCheckBox>(view, "iterationLarge")->setChecked(true);  // the live image as slices and volume
    QCOMPARE(bench.window.views().image->image(), view.image()->image());
    QTest::qWait(400);
    QCOMPARE(view.points().size(), held);

    // another λ: one step with it, then it holds again
    child<QLineEdit>(view, "iterationLambda")->setText(QStringLiteral("0.25"));
    QTest::mouseClick(child<QToolButton>(view, "iterationApply"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(view.points().size(), held + 1, patience);
    QCOMPARE(view.points().back().lambda, 0.25);
    QStringList marks;
    for (int i = 0; i < view.plot()->itemCount(); ++i)
      if (const auto* text = qobject_cast<const QCPItemText*>(view.plot()->item(i))) marks << text->text();
    QVERIFY2(marks.contains(QStringLiteral("λ 0.25")), qPrintable(marks.join(QLatin1Char('\n'))));
    QCOMPARE(bench.window.views().parameters->options().iterative.solver.lambda, 0.25);
    QVERIFY(bench.window.views()
                .jobs->model()
                ->index(0)
                .data(JobCommandRole)
                .toString()
                .contains(QStringLiteral("--lambda 0.25")));

    // back to the oldest iteration whose image is kept: a click on its point shows it, its button goes back
    const auto kept = std::find_if(view.points().begin(), view.points().end(),
                                   [](const IterationPoint& point) { return point.kept; });
    QVERIFY(kept != view.points().end());
    QSignalSpy back(&view, &IterationView::backRequested);
    view.plot()->replot();
    QTest::mouseClick(view.plot(), Qt::LeftButton, {},
                      view.positionOf(std::size_t(kept - view.points().begin())));
    QCOMPARE(back.size(), 0);
    QCOMPARE(view.shownIteration(), kept->iteration);
    QTest::mouseClick(child<QToolButton>(view, "iterationBack"), Qt::LeftButton);
    QCOMPARE(back.size(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(view.points().size(), held + 2, patience);

    QTest::mouseClick(child<QToolButton>(view, "iterationKeepBest"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    const Reconstruction& result = *bench.results().newest()->result;
    QVERIFY(!result.cancelled);
    QCOMPARE(result.iterations.size(), std::size_t(1));
    QVERIFY(result.iterations.front().ending.find("smallest residual") != std::string::npos);
    QCOMPARE(result.options.iterative.solver.lambda, 0.25);
    const std::vector<LambdaChange>& changes = result.iterations.front().lambdaChanges;
    QVERIFY(changes.size() == 1 && changes.front().iteration == int(held) && changes.front().after == 0.25);
    const auto told = lambdaNotes(result.iterations.front()).front();
    const auto& provenance = result.image->provenance;
    QVERIFY(std::find(provenance.begin(), provenance.end(), told) != provenance.end());
    // The user waited longer than the job computed.
    QVERIFY2(result.pausedSeconds > 0.7, QByteArray::number(result.pausedSeconds));
    QVERIFY2(result.seconds + result.pausedSeconds < double(clock.elapsed()) * 1e-3,
             QByteArray::number(result.seconds));
    bench.window.features().results->copyCommand(0);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("--lambda 0.25")));
    QVERIFY(!result.options.iterative.watcher);  // nothing of the run is held by its result
    QVERIFY(!view.running());
    QVERIFY(view.status().contains(QStringLiteral("smallest residual")));
    QCOMPARE(bench.window.views().image->image(), result.image);
  }

  void aCancelKeepsTheLastImage() {
    const QTemporaryDir folder;
    Workbench bench;
    open(bench, smallScan(folder));
    IterationView& view = *bench.window.features().iterations->iterations();
    iterate(bench, "10000");
    QTRY_VERIFY_WITH_TIMEOUT(view.image()->image(), patience);
    bench.session.jobs().cancelAll();
    QCOMPARE(bench.results().rowCount(), 2);  // at once
    const Reconstruction& result = *bench.results().newest()->result;
    QVERIFY(result.cancelled);
    QVERIFY(result.image);
    QVERIFY(!result.iterations.front().residuals.empty());
    QVERIFY(result.plan.options.alpha > 1 && result.plan.options.width > 0);  // the plan that it used
    QVERIFY(product(result.plan.grid) > 1 && result.plan.error.relativeL2 > 0);
    QCOMPARE(result.plan.backend, std::string("cpu"));
    QVERIFY(!view.running());
    QVERIFY(view.status().contains(QStringLiteral("cancelled")));
    // A pause does not keep a cancel from arriving.
    iterate(bench, "10000");
    QTRY_VERIFY_WITH_TIMEOUT(view.image()->image(), patience);
    QTest::mouseClick(child<QToolButton>(view, "iterationPause"), Qt::LeftButton);
    bench.session.jobs().cancelAll();
    bench.window.features().compare->setComparing(false);
    set(bench, "method", "gridding");
    bench.window.features().reconstruct->run();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 4, patience);
  }

  void withoutALiveImageNoneIsFetched() {
    const QTemporaryDir folder;
    Workbench bench;
    open(bench, smallScan(folder));
    IterationView& view = *bench.window.features().iterations->iterations();
    child<QCheckBox>(view, "iterationLive")->setChecked(false);
    iterate(bench, "30");
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    QCOMPARE(view.points().size(), std::size_t(30));
    QVERIFY(!view.image()->image());
  }

  void mapsAreShownAndTheirSwitchesChangeTheParameters() {
    const QTemporaryDir folder;
    QString field;
    const QString file = offResonantScan(folder, field);
    Workbench bench;
    open(bench, file);
    MapPanel& maps = *bench.window.features().iterations->maps();
    QTest::mouseClick(child<QToolButton>(maps, "loadMaps"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(maps.maps(), patience);
    QVERIFY(maps.view(MapPanel::coilView)->image());
    QCOMPARE(maps.view(MapPanel::coilView)->image()->frames, 2);
    QVERIFY(!maps.view(MapPanel::fieldView)->image());

    set(bench, "field-map", field.toStdString());
    bench.window.dock(QStringLiteral("maps"))->raise();
    QTest::mouseClick(child<QToolButton>(maps, "loadMaps"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(maps.view(MapPanel::fieldView)->image(), patience);
    const auto before = maps.maps();
    const cfloat value = before->field->data[16 * 32 + 16];
    QTest::mouseClick(child<QCheckBox>(maps, "mapTurnField"), Qt::LeftButton, {}, QPoint(5, 8));
    QVERIFY(bench.window.views().parameters->options().iterative.turnField);
    QTRY_VERIFY_WITH_TIMEOUT(maps.maps() != before, patience);
    QCOMPARE(maps.maps()->field->data[16 * 32 + 16], -value);

    auto* shots = child<QListWidget>(maps, "mapShots");
    QCOMPARE(shots->count(), 4);
    shots->item(2)->setCheckState(Qt::Unchecked);
    QCOMPARE(bench.window.views().parameters->options().shots, std::string("0-1,3"));
    shots->item(2)->setCheckState(Qt::Checked);
    QCOMPARE(bench.window.views().parameters->options().shots, std::string());
  }

  void fieldCorrectionsAreComparedRowByRow() {
    const QTemporaryDir folder;
    QString field;
    const QString file = offResonantScan(folder, field);
    Workbench bench;
    open(bench, file);
    set(bench, "field-map", field.toStdString());
    set(bench, "iterations", "4");
    FieldBenchView& view = *bench.window.features().iterations->fieldBench();
    bench.window.dock(QStringLiteral("offResonance"))->raise();
    QTest::mouseClick(child<QToolButton>(view, "runFieldBench"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(view.rows().size(), std::size_t(6), patience);
    QTRY_VERIFY_WITH_TIMEOUT(child<QToolButton>(view, "runFieldBench")->isEnabled(), patience);
    QCOMPARE(view.table()->rowCount(), 6);
    view.select(1);
    QCOMPARE(view.view(FieldBenchView::approximationView)->image(), view.rows()[1].image);
    QCOMPARE(view.view(FieldBenchView::differenceView)->image(), view.rows()[1].difference);
    view.select(5);
    QCOMPARE(view.view(FieldBenchView::approximationView)->image(), view.rows()[5].image);
  }

  void withoutAFieldMapTheBenchSaysWhatIsMissing() {
    const QTemporaryDir folder;
    Workbench bench;
    open(bench, smallScan(folder));
    QSignalSpy failed(&bench.session, &Session::failed);
    bench.window.features().iterations->benchField();
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
    QVERIFY(failed.front().front().value<Failure>().remedy.contains(QStringLiteral("field-map")));
  }
};

SPOKELAB_WINDOW_TEST(TestIterations)

}  // namespace test_iterations

#include "test_iterations.moc"
