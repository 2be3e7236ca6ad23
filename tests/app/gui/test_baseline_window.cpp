// Baselines in the window: the charts' plans are kept, timed again and judged in a table.
#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>

#include "app/gui/features/profile/baseline_dialog.h"
#include "engine/core/document.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/profile/baseline/baseline.h"
#include "engine/profile/baseline/baseline_json.h"
#include "tests/app/gui/workbench.h"
#include "widgets/profile/charts/chart_panel.h"

namespace test_baseline_window {

using namespace spokelab;

namespace {

BaselineDialog* dialogOf(MainWindow& window) {
  auto* dialog = window.findChild<BaselineDialog*>(QStringLiteral("baseline"));
  return dialog && dialog->isVisible() ? dialog : nullptr;
}

void choose(MainWindow& window, const char* action, const char* dialogName, const QString& file) {
  window.findChild<QAction*>(QString::fromUtf8(action))->trigger();
  auto* dialog = window.findChild<QFileDialog*>(QString::fromUtf8(dialogName));
  QVERIFY(dialog);
  Q_EMIT dialog->fileSelected(file);
  dialog->close();
}

}  // namespace

class TestBaselineWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void timingsAreKeptAndJudged() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("before.json")),
                  quick = folder.filePath(QStringLiteral("quick.json"));
    Workbench bench;
    openSmall(bench, folder);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    int timed = 0;
    for (const Candidate& c : bench.window.views().charts->data().candidates) timed += c.timed();
    QVERIFY(timed > 0);
    QSignalSpy saved(&bench.session, &Session::saved);
    choose(bench.window, "action-save-baseline", "save-baseline", file);
    // It measures, and said how long before it began.
    const QString title =
        bench.window.findChild<QFileDialog*>(QStringLiteral("save-baseline"))->windowTitle();
    const QRegularExpression length(
        QStringLiteral("^Measure a baseline: %1 plans, about [0-9.]+ .?s$").arg(timed));
    QVERIFY2(length.match(title).hasMatch(), qPrintable(title));
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    Baseline kept = readBaseline(file.toStdString());
    QCOMPARE(int(kept.cases.size()), timed);
    QCOMPARE(kept.name, std::string("before"));
    // As a machine a hundred times as fast would have written it: everything is slower now.
    for (PlanMeasurement& c : kept.cases)
      for (double& t : c.seconds) t /= 100;
    writeBaseline(kept, quick.toStdString());
    choose(bench.window, "action-compare-baseline", "open-baseline", quick);
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(bench.window), patience);
    BaselineDialog& dialog = *dialogOf(bench.window);
    int slower = 0;
    for (int i = 0; i < dialog.table()->rowCount(); ++i) {
      if (dialog.table()->item(i, 2)->text() != QStringLiteral("execution")) continue;
      if (dialog.table()->item(i, 1)->text() == QStringLiteral("fixed work")) continue;
      ++slower;
      QCOMPARE(dialog.table()->item(i, 0)->text(), QStringLiteral("slower"));
    }
    QCOMPARE(slower, timed);
    QVERIFY(dialog.findChild<QLabel*>(QStringLiteral("baselineSummary"))
                ->text()
                .contains(QStringLiteral("%1 slower").arg(timed)));
    // The new timings and the table are kept from here.
    const auto keep = [&](const char* button, const char* name, const QString& to) {
      QTest::mouseClick(dialog.findChild<QPushButton*>(QString::fromUtf8(button)), Qt::LeftButton);
      auto* place = bench.window.findChild<QFileDialog*>(QString::fromUtf8(name));
      QVERIFY(place);
      saved.clear();
      Q_EMIT place->fileSelected(to);
      place->close();
      QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    };
    const QString after = folder.filePath(QStringLiteral("after.json")),
                  table = folder.filePath(QStringLiteral("verdicts.csv"));
    keep("keep-timings", "keep-baseline", after);
    keep("save-table", "save-verdicts", table);
    QCOMPARE(int(readBaseline(after.toStdString()).cases.size()), timed);
    QCOMPARE(readBaseline(after.toStdString()).name, std::string("after"));
    QVERIFY(QString::fromStdString(readDocument(table.toStdString())).count(QStringLiteral("slower")) >=
            timed);
  }

  void honestTimesOfTheSameProgramAreShown() {  // the guide's picture
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("yesterday.json"));
    Workbench bench;
    openSmall(bench, folder);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QSignalSpy saved(&bench.session, &Session::saved);
    bench.window.features().baselines->save(file);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    bench.window.features().baselines->compareWith(file);
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(bench.window), patience);
    QVERIFY(dialogOf(bench.window)->table()->rowCount() > 2);
    keepPicture(*dialogOf(bench.window), "baseline");
  }

  // Ways through a field are timed as such, whatever the parameters ask for by then; and the title
  // says how long that takes.
  void waysThroughAFieldAreTimed() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("field.json"));
    Workbench bench;
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    options.iterative.method = ReconMethod::sense;
    options.iterative.solver.iterations = 2;
    bench.window.views().parameters->setOptions(options);
    SimulateOptions simulated;
    simulated.trajectory.pattern = Pattern::spiral2d;
    simulated.trajectory.matrix = {24, 24, 1};
    simulated.coils = 2;
    simulated.offResonance.shape = FieldShape::head;
    simulated.offResonance.peakHz = 60;
    bench.window.features().scan->simulate(simulated, false);
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 1 && !bench.session.jobs().busy(), patience);
    bench.window.features().explorer->sweep();
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.jobs().busy(JobKind::sweep), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    const auto& plans = bench.window.views().charts->data().candidates;
    QVERIFY(std::any_of(plans.begin(), plans.end(), isThroughField));
    bench.window.views().parameters->setOptions({});  // gridding
    bench.window.features().baselines->saveAction()->trigger();
    auto* dialog = bench.window.findChild<QFileDialog*>(QStringLiteral("save-baseline"));
    QVERIFY(dialog);
    QVERIFY2(dialog->windowTitle().contains(QStringLiteral("about")), qPrintable(dialog->windowTitle()));
    dialog->close();
    QSignalSpy saved(&bench.session, &Session::saved);
    bench.window.features().baselines->save(file);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    const Baseline kept = readBaseline(file.toStdString());
    for (const PlanMeasurement& c : kept.cases) QVERIFY2(!c.seconds.empty(), c.name.c_str());
  }

  void withoutPlansThereIsNothingToKeep() {
    const QTemporaryDir folder;
    Workbench bench;
    QSignalSpy failed(&bench.session, &Session::failed);
    bench.window.features().baselines->save(folder.filePath(QStringLiteral("never.json")));
    QCOMPARE(failed.count(), 1);
    bench.window.features().baselines->compareWith(folder.filePath(QStringLiteral("missing.json")));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 2, patience);
    QVERIFY(!dialogOf(bench.window));
  }
};

SPOKELAB_WINDOW_TEST(TestBaselineWindow)

}  // namespace test_baseline_window

#include "test_baseline_window.moc"
