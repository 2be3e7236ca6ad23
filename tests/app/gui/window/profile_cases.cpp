// Cases of what is timed: sweeps, studies, suites, baselines, and the runs that the charts draw.
#include <QAction>
#include <QDialog>
#include <QPushButton>
#include <QTimer>

#include <algorithm>

#include "app/gui/features/profile/baseline_dialog.h"
#include "app/gui/features/profile/runs_feature.h"
#include "app/gui/features/profile/suite_dialog.h"
#include "engine/core/atomic_file.h"
#include "tests/app/gui/window/feature_cases.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/explorer_view.h"
#include "widgets/profile/runs/run_coordinates.h"
#include "widgets/profile/study_view.h"

namespace spokelab {
namespace {

constexpr int sweepMs = 600;  // of a sweep that is watched
constexpr int drawnRuns = 5;

// The charts are of a tuning of the open scan, whatever a sweep left; else of the first run.
void showTuning(Desk& desk) {
  const std::vector<TimedRun> runs = desk.features().charts->runs();
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const TimedRun& run) {
    return run.kind == RunKind::tuning && run.scan == desk.session.scan()->name;
  });
  desk.features().charts->showRun(found == runs.end() ? 1 : found->number);
  desk.settle();
}

// A baseline times each plan of the charts many times: two are enough.
void showTwoPlans(Desk& desk) {
  showTuning(desk);
  const TimedRun* shown = desk.features().charts->find(desk.features().charts->chosen());
  if (!shown || !shown->timed) qFatal("nothing was timed");
  TimedRun run = *shown;
  auto timed = std::make_shared<TuneResult>(*run.timed);
  std::erase_if(timed->candidates, [](const Candidate& plan) { return !plan.timed(); });
  timed->candidates.resize(std::min<std::size_t>(timed->candidates.size(), 2));
  timed->best = 0;
  run.timed = timed;
  desk.features().charts->restore({run}, run.number);
  desk.settle();
}

void withManyRuns(Desk& desk) {
  haveManyRuns(desk);
  desk.settle();
}

// The next cases draw the charts.
bool profileAgain(Desk& desk) {
  if (!isIdle(desk)) return false;
  desk.window.dock(QStringLiteral("profile"))->raise();
  return true;
}

}  // namespace

// The table shows the runs of the open scan.
void haveManyRuns(Desk& desk) {
  const std::vector<TimedRun> now = desk.features().charts->runs();
  const auto found =
      std::find_if(now.begin(), now.end(), [](const TimedRun& run) { return run.plans() > 0; });
  if (found == now.end()) qFatal("nothing was timed");
  TimedRun ofScan = *found;
  ofScan.scan = desk.session.scan()->name;
  ofScan.fingerprint = desk.session.scan()->fingerprint;
  std::vector<TimedRun> runs(std::size_t(manyRuns), ofScan);
  for (int i = 0; i < manyRuns; ++i) {
    runs[std::size_t(i)].number = i + 1;
    runs[std::size_t(i)].visible = i < drawnRuns;
  }
  desk.features().charts->restore(runs, 1);
}

std::vector<FeatureCase> timingCases() {
  return onLightScan(
      {onScan(DeskScan::small, {"save a baseline", showTwoPlans,
                                [](Desk& d) { d.features().baselines->save(d.file("b.json")); }, wasSaved}),
       onScan(DeskScan::small,
              {"compare with a baseline",
               [](Desk& d) {
                 if (QFile::exists(d.file("b.json"))) return;
                 showTwoPlans(d);
                 d.features().baselines->save(d.file("b.json"));
                 QTRY_VERIFY_WITH_TIMEOUT(wasSaved(d), patience);
               },
               [](Desk& d) { d.features().baselines->compareWith(d.file("b.json")); },
               [](Desk& d) { return d.window.findChild<BaselineDialog*>() || !d.failed.isEmpty(); }}),
       {"sweep",
        {},
        [](Desk& d) {
          d.features().explorer->sweep();
          QTimer::singleShot(sweepMs, &d.window, [&d] { d.session.jobs().cancelAll(); });
        },
        isIdle},
       {"sweep over all that can be swept",
        [](Desk& d) {
          for (const char* also :
               {"explorer-kernels", "explorer-precomputations", "explorer-implementations"})
            d.window.findChild<QAction*>(QString::fromLatin1(also))->setChecked(true);
        },
        [](Desk& d) {
          d.features().explorer->sweep();
          QTimer::singleShot(sweepMs, &d.window, [&d] { d.session.jobs().cancelAll(); });
        },
        isIdle},
       {"sweep while a result is made",
        {},
        [](Desk& d) {
          d.features().explorer->sweep();
          QTimer::singleShot(sweepMs / 4, &d.window, [&d] { d.features().reconstruct->run(); });
          QTimer::singleShot(sweepMs, &d.window, [&d] { d.session.jobs().cancelAll(); });
        },
        isIdle},
       {"dialog of a sweep",
        {},
        [](Desk& d) { d.trigger("action-sweep-dialog"); },
        [](Desk& d) { return d.window.findChild<QDialog*>() != nullptr; }},
       {"study",
        {},
        [](Desk& d) {
          d.trigger("action-studies");
          auto* view = d.window.findChild<StudyView*>();
          StudyRequest request;
          request.study = "row-deviations";
          request.sizes = {16, 24};
          view->setRequest(request);
          view->findChild<QPushButton*>(QStringLiteral("study-run"))->click();
        },
        isIdle},
       {"suite",
        {},
        [](Desk& d) {
          writeFileAtomically(d.file("suite.json").toStdString(),
                              R"({"format": "spokelab-suite", "formatVersion": 1, "name": "mine", "cases": [
        {"study": "best-alpha", "sizes": [8, 10], "accelerations": [4], "accuracies": [0.01],
         "patterns": ["radial3d"], "trials": 1}]})");
          d.trigger("action-suite");
          auto* dialog = d.window.findChild<SuiteDialog*>(QStringLiteral("suite"));
          dialog->setSuite(d.file("suite.json"));
          dialog->setFolder(d.file("suite"));
          dialog->run();
        },
        isIdle},
       {"images of marked plans",
        [](Desk& d) {
          showTuning(d);
          std::vector<int> timed;
          const auto& plans = d.views().charts->data().candidates;
          for (int i = 0; i < int(plans.size()) && timed.size() < 2; ++i)
            if (plans[std::size_t(i)].timed()) timed.push_back(i);
          d.views().charts->setMarked(timed);
        },
        [](Desk& d) { d.child<QPushButton>("explorerImages")->click(); }, isIdle}});
}

std::vector<FeatureCase> profileCases() {
  return {
      {"200 runs in the list, five of them drawn", {}, haveManyRuns, isIdle},
      {"choose a run", withManyRuns, [](Desk& d) { d.features().charts->showRun(7); }, isIdle},
      {"show another run", withManyRuns, [](Desk& d) { d.features().charts->setVisible(9, true); }, isIdle},
      {"hide the other runs", withManyRuns, [](Desk& d) { d.features().charts->hideOthers(9); }, isIdle},
      {"pin a run, which moves up", withManyRuns, [](Desk& d) { d.features().charts->setPinned(3, true); },
       isIdle},
      {"delete half of the runs", withManyRuns,
       [](Desk& d) {
         std::vector<int> numbers;
         for (int number = 1; number <= manyRuns; number += 2) numbers.push_back(number);
         d.features().charts->erase(numbers);
       },
       isIdle},
      {"compare two runs", withManyRuns, [](Desk& d) { d.features().runs->compare(1, 2); },
       [](Desk& d) { return d.window.findChild<BaselineDialog*>() || !d.failed.isEmpty(); }},
      {"export runs", withManyRuns,
       [](Desk& d) {
         d.features().runs->exportTo(d.file("runs.json"), {1, 2, 3}, RunFormat::json);
       },
       wasSaved},
      {"mark plans in all charts",
       {},
       [](Desk& d) {
         d.views().charts->setMarked({0, 1, 2});
       },
       isIdle},
      {"memory's ceiling",
       {},
       [](Desk& d) { d.features().stages->measureCeiling(QStringLiteral("cpu")); },
       isIdle},
      {"change what the map of plans shows",
       {},
       [](Desk& d) {
         d.views().charts->planMap()->setQuantity(PlanQuantity::pareto);
         d.views().explorer->map()->setQuantity(PlanQuantity::error);
       },
       isIdle},
      {"see the parallel axes of 200 runs", withManyRuns,
       [](Desk& d) { d.window.dock(QStringLiteral("runs"))->raise(); }, profileAgain},
      {"drag a range along a parallel axis",
       [](Desk& d) {
         withManyRuns(d);
         d.window.dock(QStringLiteral("runs"))->raise();
         d.settle();
       },
       [](Desk& d) {
         auto* axes = d.window.findChild<RunCoordinates*>();
         QVERIFY(axes && axes->drawn() > 0);
         for (const double low : {0.5, 0.3, 0.1, 0.0})
           axes->setBrush(RunCoordinates::timeAxis, ParallelAxis::Range{low, 1.0});
         axes->clearBrushes();
       },
       profileAgain},
  };
}
}  // namespace spokelab
