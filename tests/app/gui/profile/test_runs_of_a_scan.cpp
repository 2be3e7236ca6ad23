// A scan's timed runs are kept: drawn behind the next run, in the list, in the session's file, and
// beyond the end of the program; only the user hides and deletes them.
#include <QAction>
#include <QSignalSpy>
#include <QTableView>
#include <QTreeWidget>

#include <nlohmann/json.hpp>

#include "app/gui/features/profile/runs_feature.h"
#include "engine/core/document.h"
#include "engine/profile/runs/runs_json.h"
#include "engine/profile/session/saved_session.h"
#include "tests/app/gui/workbench.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/run_trace.h"
#include "widgets/profile/charts/time_chart.h"
#include "widgets/profile/runs/run_list.h"
#include "widgets/profile/runs/run_table.h"

namespace test_runs_of_a_scan {

using namespace spokelab;

namespace {

const ProfileData& charts(const Workbench& bench) {
  return bench.window.views().charts->data();
}

std::size_t plans(const Workbench& bench) {
  return charts(bench).candidates.size();
}

void finish(Workbench& bench) {
  QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
}

void sweep(Workbench& bench) {
  bench.window.features().explorer->sweep();
  QTRY_VERIFY_WITH_TIMEOUT(bench.session.jobs().busy(JobKind::sweep), patience);
  finish(bench);
}

void reconstruct(Workbench& bench, const ReconOptions& options, int results) {
  bench.window.views().parameters->setOptions(options);
  bench.window.features().reconstruct->run();
  QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), results, patience);
  finish(bench);
}

ReconOptions oneGivenPlan() {
  ReconOptions options;
  options.nufft.accuracy = 1e-2;
  options.nufft.alpha = 1.55;
  options.nufft.width = 5.3;
  return options;
}

ReconOptions finer() {
  ReconOptions options;
  options.nufft.accuracy = 1e-4;
  return options;
}

QTreeWidget& tree(Workbench& bench) {
  return *bench.window.views().charts->runs()->tree();
}

QStringList titles(Workbench& bench) {
  QStringList all;
  for (int i = 0; i < tree(bench).topLevelItemCount(); ++i) all << tree(bench).topLevelItem(i)->text(0);
  return all;
}

QTreeWidgetItem* row(Workbench& bench, const QString& title) {
  for (int i = 0; i < tree(bench).topLevelItemCount(); ++i)
    if (tree(bench).topLevelItem(i)->text(0) == title) return tree(bench).topLevelItem(i);
  return nullptr;
}

void trigger(Workbench& bench, const QString& title, const char* action) {
  tree(bench).clearSelection();
  tree(bench).setCurrentItem(row(bench, title));
  row(bench, title)->setSelected(true);
  bench.window.views().charts->runs()->findChild<QAction*>(QString::fromLatin1(action))->trigger();
  QCoreApplication::processEvents();
}

QStringList drawnBehind(const Workbench& bench) {
  QStringList all;
  for (const auto& trace : charts(bench).traces) all << trace->title;
  return all;
}

}  // namespace

class TestRunsOfAScan : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aSweepOutlivesEveryReconstruction() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    QCOMPARE(titles(bench), QStringList{QStringLiteral("Tuning 1")});
    sweep(bench);
    const std::size_t swept = plans(bench);
    QVERIFY2(swept > 10, qPrintable(QString::number(swept)));
    QCOMPARE(drawnBehind(bench), QStringList());  // the tuning gave its place
    reconstruct(bench, oneGivenPlan(), 2);
    QCOMPARE(plans(bench), swept + 1);  // its plan is a point
    ReconOptions exact;
    exact.exact = true;
    reconstruct(bench, exact, 3);
    QCOMPARE(plans(bench), swept + 1);
    // A tuning leaves the charts to the sweep; the plan that it chose is a point.
    reconstruct(bench, finer(), 4);
    QCOMPARE(bench.window.features().charts->chosen(), 2);
    QCOMPARE(plans(bench), swept + 2);
    QCOMPARE(drawnBehind(bench), QStringList());
    QCOMPARE(titles(bench),
             (QStringList{QStringLiteral("Tuning 5"), QStringLiteral("Result 3"), QStringLiteral("Result 2"),
                          QStringLiteral("Sweep 2"), QStringLiteral("Tuning 1")}));
    QTest::qWait(300);  // the charts are painted a little later
    keepPicture(*bench.window.views().charts, "runs");
    // A click on a row brings it to the front; what is ticked is drawn behind it.
    trigger(bench, QStringLiteral("Tuning 5"), "run-show");
    QCOMPARE(bench.window.features().charts->chosen(), 5);
    QCOMPARE(drawnBehind(bench), (QStringList{QStringLiteral("Sweep 2"), QStringLiteral("Result 2")}));
    trigger(bench, QStringLiteral("Sweep 2"), "run-show");
    QCOMPARE(plans(bench), swept + 2);
    QCOMPARE(bench.window.features().charts->chosen(), 2);
  }

  void aResultBringsItsRunBack() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    const std::size_t tuned = plans(bench);
    sweep(bench);
    const std::size_t swept = plans(bench);
    reconstruct(bench, oneGivenPlan(), 2);
    QVERIFY(tuned > 1 && swept != tuned);
    Q_EMIT bench.window.views().history->showRequested(1);
    QCOMPARE(plans(bench), tuned);
    Q_EMIT bench.window.views().history->showRequested(2);
    QCOMPARE(bench.window.features().charts->chosen(), 2);
    QVERIFY(plans(bench) > swept);
  }

  void theUserHidesPinsNamesAndDeletes() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    trigger(bench, QStringLiteral("Tuning 1"), "run-pin");
    sweep(bench);
    const std::size_t swept = plans(bench);
    QCOMPARE(drawnBehind(bench), QStringList{QStringLiteral("Tuning 1")});  // pinned
    tree(bench).topLevelItem(0)->setText(0, QStringLiteral("before the fix"));
    QTRY_COMPARE_WITH_TIMEOUT(drawnBehind(bench), QStringList{QStringLiteral("before the fix")}, patience);
    QCOMPARE(titles(bench).front(), QStringLiteral("before the fix"));
    // A tick draws, no tick hides; the charts go to what is left, then to nothing.
    row(bench, QStringLiteral("before the fix"))->setCheckState(0, Qt::Unchecked);
    QTRY_COMPARE_WITH_TIMEOUT(drawnBehind(bench), QStringList(), patience);
    QCOMPARE(plans(bench), swept);
    row(bench, QStringLiteral("before the fix"))->setCheckState(0, Qt::Checked);
    QTRY_COMPARE_WITH_TIMEOUT(drawnBehind(bench).size(), 1, patience);
    row(bench, QStringLiteral("Sweep 2"))->setCheckState(0, Qt::Unchecked);
    QTRY_COMPARE_WITH_TIMEOUT(bench.window.features().charts->chosen(), 1, patience);
    QVERIFY(plans(bench) != swept && plans(bench) > 0);
    QCOMPARE(drawnBehind(bench), QStringList());
    trigger(bench, QStringLiteral("Sweep 2"), "run-hide-others");
    QCOMPARE(plans(bench), swept);
    QCOMPARE(drawnBehind(bench), QStringList());
    trigger(bench, QStringLiteral("before the fix"), "run-delete");
    QCOMPARE(titles(bench), QStringList{QStringLiteral("Sweep 2")});
    QCOMPARE(plans(bench), swept);
    trigger(bench, QStringLiteral("Sweep 2"), "run-delete");
    QCOMPARE(plans(bench), std::size_t(0));
    QVERIFY(bench.window.views().charts->runs()->isHidden());
    sweep(bench);
    QCOMPARE(plans(bench), swept);
  }

  void anotherScanHasItsOwnRuns() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    sweep(bench);
    const std::size_t swept = plans(bench);
    bench.window.features().reconstruct->automaticAction()->setChecked(false);
    SimulateOptions options;
    options.trajectory.matrix = {24, 24, 1};
    bench.window.features().scan->simulate(options, true);
    QTRY_COMPARE_WITH_TIMEOUT(titles(bench), QStringList(), patience);
    finish(bench);
    QCOMPARE(plans(bench), std::size_t(0));
    QSignalSpy opened(&bench.session, &Session::scanOpened);
    bench.window.open(smallScan(folder));
    QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, patience);
    QCOMPARE(titles(bench), (QStringList{QStringLiteral("Sweep 2"), QStringLiteral("Tuning 1")}));
    QCOMPARE(plans(bench), swept);
  }

  // Point 2 of what the list of runs has to show: sweep, reconstruct, quit, start.
  void aSweepOutlivesTheProgram() {
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.filePath(QStringLiteral("autosave")).toStdString();
    std::string told;
    std::size_t swept = 0;
    {
      Workbench bench;
      bench.window.features().workspace->keepIn(root);
      openSmall(bench, folder);
      sweep(bench);
      swept = plans(bench);
      reconstruct(bench, finer(), 2);
      for (const TimedRun& run : bench.window.features().charts->runs()) told += toJson(run).dump();
      bench.window.close();
    }
    Workbench bench;
    bench.window.features().workspace->keepIn(root);
    bench.window.features().workspace->findLastRuns();
    QTRY_COMPARE_WITH_TIMEOUT(titles(bench).size(), 3, patience);
    QVERIFY(!bench.session.scan());
    QCOMPARE(titles(bench), (QStringList{QStringLiteral("Tuning 3"), QStringLiteral("Sweep 2"),
                                         QStringLiteral("Tuning 1")}));
    QCOMPARE(bench.window.features().charts->chosen(), 2);
    QCOMPARE(plans(bench), swept + 1);  // and the plan of the tuning
    // The scan is opened: they are its runs. With its last session they come back as they were.
    bench.window.features().reconstruct->automaticAction()->setChecked(false);
    bench.window.open(smallScan(folder));
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.scan() && !bench.session.jobs().busy(), patience);
    QCOMPARE(plans(bench), swept + 1);
    QCOMPARE(titles(bench).size(), 3);
    bench.window.findChild<QAction*>(QStringLiteral("action-last-session"))->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    std::string now;
    for (const TimedRun& run : bench.window.features().charts->runs()) now += toJson(run).dump();
    QCOMPARE(QString::fromStdString(now), QString::fromStdString(told));
  }

  // With a session come images, results and charts in the same event.
  void aLongListAndItsTableTakeTheNextEvent() {
    Workbench bench;
    bringUp(bench.window.features().runs->table());
    auto timed = std::make_shared<TuneResult>();
    timed->candidates.resize(1);
    timed->candidates[0].timings.total = 1e-3;
    TimedRun run;
    run.timed = timed;
    run.visible = false;
    std::vector<TimedRun> many(200, run);
    for (std::size_t i = 0; i < many.size(); ++i) many[i].number = int(i) + 1;
    const auto rows = [&] { return bench.window.features().runs->table()->table()->model()->rowCount(); };
    bench.window.features().charts->restore(many, 0);
    QVERIFY(titles(bench).isEmpty() && rows() == 0);
    QCoreApplication::processEvents();
    QCOMPARE(titles(bench).size(), 200);
    QCOMPARE(rows(), 200);
    bench.window.features().charts->restore({many[0]}, 0);  // a short one is there at once
    QCOMPARE(titles(bench).size(), 1);
    QCoreApplication::processEvents();
    QCOMPARE(titles(bench).size(), 1);
    QCOMPARE(rows(), 1);
  }

  void runsAreExported() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    sweep(bench);
    RunsFeature& runs = *bench.window.features().runs;
    const QString csv = folder.filePath(QStringLiteral("runs.csv"));
    const QString json = folder.filePath(QStringLiteral("runs.json"));
    QSignalSpy saved(&bench.session, &Session::saved), failed(&bench.session, &Session::failed);
    runs.exportTo(csv, {2}, RunFormat::csv);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    runs.exportTo(json, {1, 2}, RunFormat::json);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 2, patience);
    QCOMPARE(readDocument(csv.toStdString()), toCsv({*bench.window.features().charts->find(2)}));
    QCOMPARE(nlohmann::json::parse(readDocument(json.toStdString())).at("runs").size(), std::size_t(2));
    // The open scan is no place for them.
    const std::string before = readDocument(smallScan(folder).toStdString());
    runs.exportTo(smallScan(folder), {1}, RunFormat::csv);
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
    QCOMPARE(readDocument(smallScan(folder).toStdString()), before);
    QCOMPARE(titles(bench).size(), 2);
  }
};

SPOKELAB_WINDOW_TEST(TestRunsOfAScan)

}  // namespace test_runs_of_a_scan

#include "test_runs_of_a_scan.moc"
