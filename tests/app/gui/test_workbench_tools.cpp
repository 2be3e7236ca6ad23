// Tools of the workbench beside the work: undo, the log's filter, a diagnostic bundle, the sheet of
// keys, command lines, the stages of a plan.
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTextBrowser>
#include <QUndoStack>

#include <nlohmann/json.hpp>

#include "app/gui/document/undo.h"
#include "app/gui/features/banner.h"
#include "app/gui/window/cheat_sheet.h"
#include "app/gui/window/diagnostics.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/formats/images/read_image.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/profile/job_bar.h"
#include "widgets/profile/stage_view.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/option_editor.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace test_workbench_tools {

using namespace spokelab;
using nlohmann::json;

namespace {

QAction& action(MainWindow& window, const char* name) {
  auto* found = window.findChild<QAction*>(QString::fromLatin1(name));
  if (!found) qFatal("no action %s", name);
  return *found;
}

}  // namespace

class TestWorkbenchTools : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void parametersAreUndoneAndRedone() {
    Workbench bench;
    ParameterPanel& panel = *bench.window.views().parameters;
    QAction &undo = action(bench.window, "action-undo"), &redo = action(bench.window, "action-redo");
    QVERIFY(!undo.isEnabled());
    auto* line = panel.editor("accuracy")->findChild<QLineEdit*>();
    QVERIFY(line);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("0.025"));  // each key is a change; together they are one step
    QCOMPARE(panel.options().nufft.accuracy, 0.025);
    auto* box = panel.editor("precision")->findChild<QComboBox*>();
    box->setCurrentIndex(box->findData(QStringLiteral("double")));
    Q_EMIT box->activated(box->currentIndex());
    QCOMPARE(bench.window.features().undo->stack()->count(), 2);
    QVERIFY(undo.text().contains(QStringLiteral("Precision")));
    undo.trigger();
    QCOMPARE(panel.options().precision, Precision::single);
    QCOMPARE(panel.options().nufft.accuracy, 0.025);
    undo.trigger();
    QCOMPARE(panel.options().nufft.accuracy, ReconOptions().nufft.accuracy);
    QVERIFY(!undo.isEnabled() && redo.isEnabled());
    redo.trigger();
    redo.trigger();
    QCOMPARE(panel.options().nufft.accuracy, 0.025);
    QCOMPARE(panel.options().precision, Precision::double64);
    panel.reset();
    undo.trigger();
    QCOMPARE(panel.options().precision, Precision::double64);
  }

  void aDecisionIsUndoneByReadingTheScanAgain() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    bench.window.features().scan->overrideDecision(QStringLiteral("matrix"), QStringLiteral("48x48"));
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.scan()->geometry.matrix, (Index3{48, 48, 1}), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QVERIFY(action(bench.window, "action-undo").text().contains(QStringLiteral("matrix")));
    action(bench.window, "action-undo").trigger();
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.scan()->geometry.matrix, (Index3{32, 32, 1}), patience);
    QVERIFY(bench.session.overrides().empty());
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QVERIFY(action(bench.window, "action-redo").isEnabled());
    action(bench.window, "action-redo").trigger();
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.scan()->geometry.matrix, (Index3{48, 48, 1}), patience);
    // Another file: there is nothing of the first one to undo.
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    bench.window.open(QStringLiteral("demo"));
    QTRY_COMPARE_WITH_TIMEOUT(bench.session.scan()->name, std::string("demo"), patience);
    QVERIFY(!action(bench.window, "action-undo").isEnabled());
  }

  void theChoiceOfAResultAndTheWindowAreUndone() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    bench.window.features().reconstruct->run();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    QCOMPARE(bench.results().shown(), 2);
    bench.window.features().undo->forget();
    QListView& list = *bench.window.views().history->list();
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {},
                      list.visualRect(bench.results().index(1)).center());
    QCOMPARE(bench.results().shown(), 1);
    ImagePanel& image = *bench.window.views().image;
    const DisplayWindow before = image.window();
    SliceView& view = *image.sliceView(Plane::axial);
    QTest::mousePress(&view, Qt::RightButton, {}, view.rect().center());
    for (int i = 1; i <= 5; ++i) {
      const QPoint at = view.rect().center() + QPoint(4 * i, 3 * i);
      QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::RightButton, {});
      QCoreApplication::sendEvent(&view, &move);
    }
    QTest::mouseRelease(&view, Qt::RightButton);
    const DisplayWindow after = image.window();
    QVERIFY(after != before);
    QCOMPARE(bench.window.features().undo->stack()->count(), 2);  // a drag is one step
    action(bench.window, "action-undo").trigger();
    QCOMPARE(image.window(), before);
    action(bench.window, "action-redo").trigger();
    QCOMPARE(image.window(), after);
    action(bench.window, "action-undo").trigger();
    action(bench.window, "action-undo").trigger();
    QCOMPARE(bench.results().shown(), 2);
    QCOMPARE(bench.results().rowCount(), 2);
  }

  void theLogIsFilteredByLevelAndWord() {
    Workbench bench;
    LogView& log = *bench.window.views().log;
    log.append(LogLevel::detail, QStringLiteral("small matter"));
    log.append(LogLevel::information, QStringLiteral("the scan is open"));
    log.append(LogLevel::warning, QStringLiteral("the Scan is odd"));
    log.append(LogLevel::error, QStringLiteral("disk full"));
    const auto shows = [&](const char* text) {
      return log.toPlainText().contains(QString::fromLatin1(text));
    };
    QVERIFY(!shows("small matter") && shows("the scan is open"));
    auto* level = bench.window.findChild<QComboBox*>(QStringLiteral("logLevel"));
    auto* filter = bench.window.findChild<QLineEdit*>(QStringLiteral("logFilter"));
    QVERIFY(level && filter);
    level->setCurrentIndex(level->findData(int(LogLevel::warning)));
    QVERIFY(!shows("the scan is open") && shows("the Scan is odd") && shows("disk full"));
    QTest::keyClicks(filter, QStringLiteral("SCAN"));
    QVERIFY(shows("the Scan is odd") && !shows("disk full"));
    level->setCurrentIndex(level->findData(int(LogLevel::detail)));
    filter->clear();
    QVERIFY(shows("small matter") && shows("the scan is open") && shows("disk full"));
    filter->setText(QStringLiteral("scan"));
    log.append(LogLevel::error, QStringLiteral("no such thing"));
    log.append(LogLevel::information, QStringLiteral("another scan"));
    QVERIFY(!shows("no such thing") && shows("another scan"));
    QVERIFY(log.lines().size() >= 6);
  }

  void theDiagnosticBundleNamesNothingOfTheScanUnasked() {
    const QTemporaryDir folder;
    const QString secret = folder.filePath(QStringLiteral("Mustermann-Erika-1961.h5"));
    QVERIFY(QFile::rename(smallScan(folder), secret));
    Workbench bench;
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    options.iterative.fieldMap = folder.filePath(QStringLiteral("Mustermann-map.nii.gz")).toStdString();
    bench.window.views().parameters->setOptions(options);
    bench.window.open(secret);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    bench.window.open(folder.filePath(QStringLiteral("Mustermann-missing.h5")));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().banner->isVisible(), patience);
    action(bench.window, "action-diagnostics").trigger();
    auto* dialog = bench.window.findChild<QDialog*>(QStringLiteral("diagnostics"));
    QVERIFY(dialog && dialog->isVisible());
    auto* text = dialog->findChild<QPlainTextEdit*>(QStringLiteral("diagnosticsText"));
    const QString clean = text->toPlainText();
    QVERIFY2(!clean.contains(QStringLiteral("Mustermann")), qPrintable(clean));
    QVERIFY(!clean.contains(folder.path()));
    const json j = json::parse(clean.toStdString());
    QCOMPARE(j["format"].get<std::string>(), std::string("spokelab-results"));
    QVERIFY(j["provenance"]["machine"].contains("cpu"));
    QVERIFY(j["backends"].size() >= 1 && j["options"]["accuracy"] == "0.01");
    QVERIFY(j["log"].size() >= 4 && !j.contains("scan"));
    QVERIFY(j["result"]["plan"].contains("options"));
    dialog->findChild<QCheckBox*>(QStringLiteral("diagnosticsDecisions"))->setChecked(true);
    const json more = json::parse(text->toPlainText().toStdString());
    QVERIFY(more["scan"]["geometry"]["matrix"][0] == 32 && !more["scan"].contains("name"));
    QVERIFY(!text->toPlainText().contains(QStringLiteral("Mustermann")));
    dialog->findChild<QCheckBox*>(QStringLiteral("diagnosticsNames"))->setChecked(true);
    QVERIFY(text->toPlainText().contains(QStringLiteral("Mustermann-Erika-1961")));
  }

  void theSheetOfKeysHasThoseOfTheMenus() {
    Workbench bench;
    QCOMPARE(action(bench.window, "action-keys").shortcut(), QKeySequence(Qt::Key_H));
    action(bench.window, "action-keys").trigger();  // no window manager makes the window active for the key
    auto* sheet = bench.window.findChild<CheatSheet*>();
    QTRY_VERIFY_WITH_TIMEOUT(sheet && sheet->isVisible(), patience);
    const QString keys = sheet->findChild<QTextBrowser*>(QStringLiteral("keys"))->toPlainText();
    for (const char* name :
         {"action-undo", "action-save-session", "action-replay", "action-reference", "action-save"})
      QVERIFY2(keys.contains(action(bench.window, name).shortcut().toString(QKeySequence::NativeText)), name);
    QVERIFY(keys.contains(QStringLiteral("M P R I C")));
    keepPicture(*sheet, "keys");
    action(bench.window, "action-keys").trigger();
    QVERIFY(!sheet->isVisible());
  }

  // The line that was copied, given to the program, makes the same image with the same plan.
  void aResultsCommandLineMakesItAgain() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    action(bench.window, "action-copy-command").trigger();
    const QString line = QGuiApplication::clipboard()->text();
    QVERIFY2(line.startsWith(QStringLiteral("spokelab reconstruct ")), qPrintable(line));
    const NufftOptions& plan = bench.results().newest()->result->plan.options;
    QVERIFY2(line.contains(QStringLiteral("--alpha %1").arg(plan.alpha)), qPrintable(line));
    QProcess program;
    program.setWorkingDirectory(folder.path());
    QStringList words = QProcess::splitCommand(line);
    words.removeFirst();
    program.start(QStringLiteral(SPOKELAB_CLI), words);
    QVERIFY(program.waitForFinished(patience));
    QVERIFY2(program.exitCode() == 0, program.readAllStandardError().constData());
    const Image made = readImage(folder.filePath(QStringLiteral("image.nii.gz")).toStdString(), {});
    QVERIFY(nrmse(made, *bench.results().newest()->result->image) < 1e-5);
  }

  void everyJobHasACommandLine() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    bench.window.features().explorer->sweep();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.jobs().busy(JobKind::sweep), patience);
    bench.session.jobs().cancelAll();
    bench.window.features().density->compare(bench.window.views().parameters->options());
    bench.session.jobs().cancelAll();
    const JobModel& jobs = *bench.window.views().jobs->model();
    QStringList commands;
    for (int row = 0; row < jobs.rowCount(); ++row) {
      const QString command = jobs.index(row).data(JobCommandRole).toString();
      QVERIFY2(command.startsWith(QStringLiteral("spokelab ")),
               qPrintable(jobs.index(row).data().toString()));
      commands << command.section(QLatin1Char(' '), 1, 1);
    }
    QCOMPARE(commands, (QStringList{"density", "sweep", "reconstruct", "info"}));
    QVERIFY(jobs.index(2).data(JobCommandRole).toString().contains(QStringLiteral("--accuracy 0.01")));
  }

  void stagesTellMapsAndRegularizerOfIterations() {
    const QTemporaryDir folder;
    Workbench bench;
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    setOption(options, "method", "sense");
    setOption(options, "iterations", "3");
    setOption(options, "lambda", "0.01");
    openSmall(bench, folder, options);
    const QTableWidget& table = *bench.window.features().stages->view()->table();
    QStringList names;
    for (int row = 0; row < table.rowCount(); ++row) names << table.item(row, 0)->text().trimmed();
    for (const char* part : {"of it: maps", "of it: regularizer"})
      QVERIFY2(names.contains(QString::fromUtf8(part)), qPrintable(names.join(QLatin1Char('\n'))));
  }

  void theStagesOfAResultAddUpToItsTime() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    StageView& view = *bench.window.features().stages->view();
    const StageTimings& timings = bench.results().newest()->result->timings;
    QCOMPARE(view.timings().total, timings.total);
    QVERIFY(view.timings().total > 0);
    const JobBar& job = *bench.window.features().stages->job();
    QCOMPARE(job.account().total, bench.results().newest()->result->account.total);
    QVERIFY(job.account()[JobStage::transforms] > 0 && !job.isHidden());
    bench.window.dock(QStringLiteral("stages"))->raise();
    bench.window.dock(QStringLiteral("stages"))->show();
    StageBar& bar = *view.bar();
    QTRY_VERIFY_WITH_TIMEOUT(bar.width() > 200, patience);
    // Segments lie end to end, as wide as their share.
    double end = -1, sum = 0, room = 0;
    for (int s = 0; s <= stageCount; ++s) {
      sum += stageSeconds(timings, s);
      room += bar.segment(s).width();
    }
    for (int s = 0; s <= stageCount; ++s) {
      const QRectF area = bar.segment(s);
      if (area.isEmpty()) continue;
      if (end >= 0) QVERIFY(area.left() >= end - 0.01 && area.left() < end + 1);
      end = area.right();
      QVERIFY(std::abs(area.width() / room - stageSeconds(timings, s) / sum) < 0.01);
      // A whole pixel of it: a stage may take less time than a pixel shows.
      const QPoint inside(int(std::ceil((area.left() + area.right()) / 2 - 0.5)), int(area.center().y()));
      if (area.contains(inside)) QCOMPARE(bar.stageAt(inside), s);
    }
    QCOMPARE(bar.titleOf(int(Stage::fft)), QStringLiteral("FFT"));
    StageTimings fused = timings;
    fused.multiplyInFft = true;
    StageBar other;
    other.setTimings(fused);
    QCOMPARE(other.titleOf(int(Stage::fft)), QStringLiteral("FFT and multiply"));
    int spread = -1;
    for (int row = 0; row < view.table()->rowCount(); ++row)
      if (view.table()->item(row, 0)->text() == stageTitle(int(Stage::spread))) spread = row;
    QVERIFY(spread >= 0);
    QVERIFY(view.table()->item(spread, 5)->text().isEmpty());  // the ceiling is not known
    const double bytes = timings.bytes[std::size_t(Stage::spread)];
    QSignalSpy measured(bench.window.features().stages, &StagesFeature::ceilingMeasured);
    QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("measureCeiling")), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(measured.count(), 1, patience);
    const auto ceiling = measured.at(0).at(1).value<MemoryCeiling>();
    QVERIFY2(ceiling.bytesPerSecond > 1e8 && ceiling.bytesPerSecond < 1e13,
             qPrintable(QString::number(ceiling.bytesPerSecond)));
    if (bytes > 0) {
      const QString share = view.table()->item(spread, 5)->text();
      const double expected = 100 * bytes / timings[Stage::spread] / ceiling.bytesPerSecond;
      QCOMPARE(share, expected > 110 ? QStringLiteral("> 100 % (caches)")
                                     : QStringLiteral("%1 %").arg(expected, 0, 'f', 0));
    }
    qInfo("copy ceiling %.1f GB/s on %d threads, spread %.2f", ceiling.bytesPerSecond / 1e9, ceiling.threads,
          ceiling.spread);
  }
};

SPOKELAB_WINDOW_TEST(TestWorkbenchTools)

}  // namespace test_workbench_tools

#include "test_workbench_tools.moc"
