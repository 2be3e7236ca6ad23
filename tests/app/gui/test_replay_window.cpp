// A report repeated in the window: dropped, judged as the command line judges it, its result shown.
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>

#include <nlohmann/json.hpp>

#include "app/gui/report/replay_dialog.h"
#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/study/study_results.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/image_panel.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace test_replay_window {

using namespace spokelab;
using nlohmann::json;

namespace {

QString writtenReport(const QTemporaryDir& folder) {
  Workbench bench;
  ReconOptions options;
  options.nufft.accuracy = 1e-3;
  options.nufft.threads = 1;
  bench.window.views().parameters->setOptions(options);
  bench.window.open(smallScan(folder));
  [&] { QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience); }();
  [&] { QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience); }();
  QSignalSpy saved(&bench.session, &Session::saved);
  bench.window.features().report->write(*bench.results().newest(),
                                        folder.filePath(QStringLiteral("report")).toStdString());
  [&] { QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience); }();
  return folder.filePath(QStringLiteral("report/report.json"));
}

ReplayDialog* dialogOf(MainWindow& window) {
  auto* dialog = window.findChild<ReplayDialog*>(QStringLiteral("replay"));
  return dialog && dialog->isVisible() ? dialog : nullptr;
}

}  // namespace

class TestReplayWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aDroppedStudyIsRepeatedAndItsPageIsWritten() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("study.json"));
    {
      Workbench bench;
      StudyRequest request;
      request.study = "row-deviations";
      request.sizes = {8};
      request.patterns = {"random"};
      const std::vector<NufftBackend*> backends(bench.session.backends().begin(),
                                                bench.session.backends().end());
      writeFileAtomically(
          file.toStdString(),
          recordText(recordOf("c", {{"study", toJson(runStudy(backends, request, Progress()))}})));
    }
    Workbench bench;
    drop(bench.window, file);
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(bench.window), patience);
    ReplayDialog& dialog = *dialogOf(bench.window);
    QVERIFY(dialog.reproduced() && dialog.table()->rowCount() > 5);
    keepPicture(dialog, "replay-study");
    dialog.findChild<QPushButton*>(QStringLiteral("write-replay"))->click();
    auto* chooser = bench.window.findChild<QFileDialog*>(QStringLiteral("replay-page"));
    QVERIFY(chooser);
    QSignalSpy saved(&bench.session, &Session::saved);
    const QString page = folder.filePath(QStringLiteral("again.html"));
    Q_EMIT chooser->fileSelected(page);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    QFile written(page);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY(written.readAll().contains("all its numbers were reproduced"));
  }

  void aDroppedReportIsRepeatedAndReproduced() {
    const QTemporaryDir folder;
    const QString report = writtenReport(folder);
    QVERIFY(isReport(report.toStdString()));
    Workbench bench;
    drop(bench.window, report);
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(bench.window), patience);
    ReplayDialog& dialog = *dialogOf(bench.window);
    QVERIFY(dialog.reproduced());
    QVERIFY(dialog.findChild<QLabel*>(QStringLiteral("replaySummary"))->text().contains("was reproduced"));
    int same = 0;
    for (int i = 0; i < dialog.table()->rowCount(); ++i) {
      QVERIFY(dialog.table()->item(i, 3)->text() != QStringLiteral("differs"));
      same += dialog.table()->item(i, 3)->text() == QStringLiteral("the same");
    }
    QVERIFY(same >= 4);
    // The result is shown, with the report's plan, on the report's scan; nothing was tuned anew.
    const json j = json::parse(readDocument(report.toStdString()));
    QCOMPARE(bench.results().rowCount(), 1);
    const Reconstruction& result = *bench.results().newest()->result;
    QCOMPARE(result.plan.options.alpha, j["reconstruction"]["plan"]["options"]["alpha"].get<double>());
    QVERIFY(!result.tuning);
    QVERIFY(bench.window.views().image->image());
    QCOMPARE(bench.session.scan()->fingerprint, j["scan"]["fingerprint"].get<std::string>());
    QVERIFY(!bench.window.views().charts->data().candidates.empty());
    keepPicture(dialog, "replay");
  }

  // A scan that was simulated in the window is simulated again; its command does the same.
  void aReportOfASimulatedScanIsRepeated() {
    const QTemporaryDir folder;
    {
      Workbench bench;
      ReconOptions options;
      options.nufft.accuracy = 1e-3;
      bench.window.views().parameters->setOptions(options);
      SimulateOptions simulated;
      simulated.trajectory.pattern = Pattern::spiral2d;
      simulated.trajectory.matrix = {32, 32, 1};
      simulated.coils = 2;
      bench.window.features().scan->simulate(simulated, false);
      QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 1 && !bench.session.jobs().busy(), patience);
      QSignalSpy saved(&bench.session, &Session::saved);
      bench.window.features().report->write(*bench.results().newest(),
                                            folder.filePath(QStringLiteral("report")).toStdString());
      QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    }
    const QString command = QString::fromStdString(
        readDocument(folder.filePath(QStringLiteral("report/command.txt")).toStdString()));
    QVERIFY2(command.contains(QStringLiteral("spokelab simulate --pattern spiral")), qPrintable(command));
    QVERIFY2(command.contains(QStringLiteral("spokelab reconstruct scan.h5")), qPrintable(command));
    Workbench bench;
    bench.window.open(folder.filePath(QStringLiteral("report/report.json")));
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(bench.window), patience);
    QVERIFY(dialogOf(bench.window)->reproduced());
    QVERIFY(!bench.session.simulation().empty());
  }

  void aNumberThatDiffersIsNamed() {
    const QTemporaryDir folder;
    const QString report = writtenReport(folder);
    json j = json::parse(readDocument(report.toStdString()));
    json* timed = nullptr;
    for (json& candidate : j["sweep"]["candidates"])
      if (candidate["timings"]["total"].get<double>() > 0) timed = &candidate;
    QVERIFY(timed);
    (*timed)["predicted"]["relativeL2"] = 2 * (*timed)["predicted"]["relativeL2"].get<double>();
    writeFileAtomically(report.toStdString(), j.dump());
    Workbench bench;
    bench.window.open(report);
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(bench.window), patience);
    ReplayDialog& dialog = *dialogOf(bench.window);
    QVERIFY(!dialog.reproduced());
    QVERIFY(
        dialog.findChild<QLabel*>(QStringLiteral("replaySummary"))->text().contains("one number differs"));
    int differing = 0;
    for (int i = 0; i < dialog.table()->rowCount(); ++i) {
      if (dialog.table()->item(i, 3)->text() != QStringLiteral("differs")) continue;
      ++differing;
      QVERIFY(dialog.table()->item(i, 0)->text().startsWith(QStringLiteral("predicted error at alpha")));
    }
    QCOMPARE(differing, 1);
  }

  void aScanThatMovedIsAskedFor() {
    const QTemporaryDir folder;
    const QString report = writtenReport(folder);
    const QString moved = folder.filePath(QStringLiteral("elsewhere.h5"));
    QVERIFY(QFile::rename(folder.filePath(QStringLiteral("small.h5")), moved));
    Workbench bench;
    bench.window.open(report);
    const auto find = [&] {
      auto* box = bench.window.findChild<QMessageBox*>(QStringLiteral("replay-scan-missing"));
      return box && box->isVisible() ? box->findChild<QPushButton*>(QStringLiteral("find-scan")) : nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(find(), patience);
    QTest::mouseClick(find(), Qt::LeftButton);
    auto* dialog = bench.window.findChild<QFileDialog*>(QStringLiteral("find-replay-scan"));
    QVERIFY(dialog);
    Q_EMIT dialog->fileSelected(moved);
    dialog->close();
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(bench.window), patience);
    QVERIFY(dialogOf(bench.window)->reproduced());
  }

  void whatIsNoReportIsNotTakenForOne() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("notes.json"));
    writeFileAtomically(file.toStdString(), "{\"format\": \"something else\"}");
    QVERIFY(!isReport(file.toStdString()));
    QVERIFY(!isReport(folder.path().toStdString()));
  }
};

SPOKELAB_WINDOW_TEST(TestReplayWindow)

}  // namespace test_replay_window

#include "test_replay_window.moc"
